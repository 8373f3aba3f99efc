"use client";

import Link from "next/link";
import { besideText, viewNames } from "#lib/messages/reviewer/queue";
import { queueViews, type QueueView } from "#lib/queue/model/queue";
import type { QueueCounts } from "#lib/queue/list-queue";
import { addressOf } from "#lib/queue/queue-address";

type Props = { readonly current: QueueView | undefined; readonly counts: QueueCounts };

/** The ways to look at the queue, each with how many cases it has; each is an address of its own. */
export function Views({ current, counts }: Props) {
  return (
    <nav aria-label="Views" className="-mx-4 mb-3 overflow-x-auto px-4 md:-mx-2 md:px-0">
      <ul className="flex gap-x-0.5 gap-y-1 md:flex-wrap">
        {queueViews.map((view) => (
          <li key={view}>
            <Link
              href={addressOf({ view })}
              prefetch={false}
              aria-current={view === current ? "page" : undefined}
              className="flex min-h-8 items-center gap-1.5 rounded-md px-2 py-1 whitespace-nowrap text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <Name>{viewNames[view]}</Name>
              <span className="text-sm font-normal text-ink-faint tabular-nums">{besideText(counts[view])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Takes the room of its bold form always, so that choosing one moves none of the others. */
function Name({ children }: { readonly children: string }) {
  return (
    <span className="grid">
      <span className="col-start-1 row-start-1">{children}</span>
      <span aria-hidden className="invisible col-start-1 row-start-1 font-semibold">
        {children}
      </span>
    </span>
  );
}
