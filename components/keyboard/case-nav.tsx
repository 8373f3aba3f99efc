"use client";

import { ChevronDown, ChevronLeft, ChevronUp } from "lucide";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { Icon } from "#components/shell/icon";
import type { Walk } from "#lib/queue/walk";
import { keptListText, listOf } from "./kept-list.tsx";

const quiet =
  "inline-flex min-h-8 items-center gap-0.5 rounded-md py-0.5 pe-1 pointer-coarse:min-h-11 text-ink-soft hover:text-ink";

type Props = {
  readonly taskId: string;
  /** The cases to decide of the list, as they are now. */
  readonly walk: Walk;
  /** The list it was opened from, as the query of its address. */
  readonly list: string | undefined;
};

/**
 * Back to the list this case was opened from, and on to the cases there that can be decided. From a case that is not one
 * of them it goes on along the list as it was when the case was opened, for somebody who reads.
 */
export function CaseNav({ taskId, walk, list: query }: Props) {
  const kept = listOf(useSyncExternalStore(never, keptListText, () => null));
  const index = kept?.tasks.indexOf(taskId) ?? -1;
  const known = kept && index >= 0 ? kept : undefined;
  const back = query === undefined ? "/queue" : `/queue?${query}`;
  const on = walk.place === undefined && known ? alongKept(known.tasks, index) : alongWalk(walk);
  return (
    <nav
      aria-label="Previous and next case"
      className="flex flex-wrap items-center gap-x-4 max-md:gap-x-2 print:hidden"
    >
      <Link href={known?.href ?? back} prefetch={false} data-back="" className={`-ms-1 ${quiet}`}>
        <Icon of={ChevronLeft} />
        Queue
      </Link>
      <span className="flex items-center gap-x-2 max-md:gap-x-1">
        {on.text !== undefined && <span className="text-sm text-ink-faint tabular-nums">{on.text}</span>}
        <Neighbour taskId={on.previous} list={query} go="previous" />
        <Neighbour taskId={on.next} list={query} go="next" />
      </span>
    </nav>
  );
}

type Along = {
  /** Where in the list it is. */
  readonly text?: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
};

function alongWalk({ position, total, more, previous, next }: Walk): Along {
  const text = position === undefined ? undefined : `${position} of ${total}${more ? "+" : ""}`;
  return { text, previous, next };
}

function alongKept(tasks: readonly string[], index: number): Along {
  return { text: `${index + 1} of ${tasks.length}`, previous: tasks[index - 1], next: tasks[index + 1] };
}

const neighbors = {
  previous: { name: "Previous case", key: "k", icon: ChevronUp },
  next: { name: "Next case", key: "j", icon: ChevronDown },
};

type NeighbourProps = {
  readonly taskId: string | undefined;
  readonly list: string | undefined;
  readonly go: keyof typeof neighbors;
};

function Neighbour({ taskId, list, go }: NeighbourProps) {
  const { name, key, icon } = neighbors[go];
  if (taskId === undefined) return null;
  return (
    <Link
      href={list === undefined ? `/tasks/${taskId}` : `/tasks/${taskId}?list=${encodeURIComponent(list)}`}
      prefetch={false}
      data-go={go}
      aria-label={name}
      title={name}
      aria-keyshortcuts={key}
      className="grid size-6 place-items-center rounded-md border border-line text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:size-11"
    >
      <Icon of={icon} />
    </Link>
  );
}

/** The list a case was opened from does not change while the case is shown. */
function never(): () => void {
  return () => undefined;
}
