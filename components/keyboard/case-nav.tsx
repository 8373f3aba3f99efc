"use client";

import { ChevronDown, ChevronLeft, ChevronUp } from "lucide";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { Icon } from "#components/shell/icon";
import { keptListText, listOf } from "./view-list.ts";

const quiet = "inline-flex min-h-8 items-center gap-0.5 rounded-md py-0.5 pe-1 text-ink-soft hover:text-ink";

/** Back to the list this case was opened from, and on to its neighbours there. Without one, back to the queue. */
export function CaseNav({ taskId }: { readonly taskId: string }) {
  const list = listOf(useSyncExternalStore(never, keptListText, () => null));
  const index = list?.tasks.indexOf(taskId) ?? -1;
  const known = list && index >= 0 ? list : undefined;
  return (
    <nav aria-label="Back and on" className="flex flex-wrap items-center gap-x-4 print:hidden">
      <Link href={known?.href ?? "/queue"} prefetch={false} data-back="" className={`-ms-1 ${quiet}`}>
        <Icon of={ChevronLeft} />
        Queue
      </Link>
      {known && (
        <span className="flex items-center gap-x-2">
          <span className="text-sm text-ink-faint">
            {index + 1} of {known.tasks.length}
          </span>
          <Neighbour taskId={known.tasks[index - 1]} go="previous" />
          <Neighbour taskId={known.tasks[index + 1]} go="next" />
        </span>
      )}
    </nav>
  );
}

const neighbours = {
  previous: { name: "Previous case", key: "k", icon: ChevronUp },
  next: { name: "Next case", key: "j", icon: ChevronDown },
};

function Neighbour({ taskId, go }: { readonly taskId: string | undefined; readonly go: keyof typeof neighbours }) {
  const { name, key, icon } = neighbours[go];
  if (taskId === undefined) return null;
  return (
    <Link
      href={`/tasks/${taskId}`}
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
