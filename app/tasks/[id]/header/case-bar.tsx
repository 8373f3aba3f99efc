"use client";

import { Printer } from "lucide";
import { CaseNav } from "#components/keyboard/case-nav";
import { Icon } from "#components/shell/icon";
import type { Walk } from "#lib/queue/walk";
import { useDesk } from "./at-work.tsx";

type Props = {
  readonly taskId: string;
  readonly shortId: string;
  readonly practice: string;
  readonly walk: Walk;
  readonly list: string | undefined;
};

/** The way back and on, which case of which practice it is, and who else looks at it. */
export function CaseBar({ taskId, shortId, practice, walk, list }: Props) {
  return (
    <div className="flex min-h-10 pointer-coarse:min-h-13 flex-wrap items-center gap-x-4 max-md:gap-x-2 gap-y-1 border-b border-line px-4 print:hidden">
      <CaseNav taskId={taskId} walk={walk} list={list} />
      <p role="status" className="text-sm text-ink-soft">
        <Viewers />
      </p>
      <span className="ms-auto flex items-center gap-x-3 max-md:gap-x-0 text-sm text-ink-faint">
        <span className="max-md:hidden">{practice}</span>
        <span className="font-mono">{shortId}</span>
        <a
          href={`/tasks/${taskId}/print`}
          aria-label="Print the decision"
          title="Print the decision"
          className="grid size-8 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <Icon of={Printer} />
        </a>
      </span>
    </div>
  );
}

/** Who else has the case open. It holds nobody up. */
function Viewers() {
  const { readers } = useDesk();
  const [first, second] = readers;
  if (!first) return null;
  if (!second) return `${first.name} is viewing this request.`;
  if (readers.length === 2) return `${first.name} and ${second.name} are viewing this request.`;
  return `${first.name} and ${readers.length - 1} others are viewing this request.`;
}
