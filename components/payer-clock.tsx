import type { CaseClock } from "#lib/tasks/case-clock";
import { Badge } from "./badge.tsx";
import { spanOf } from "./instant.tsx";
import { Time } from "./time.tsx";

/** A payer's legal time to decide, for a row of a list: what is left of it, or how it was kept. */
export function ClockBrief({ clock: { legal, stoppedAt } }: { readonly clock: CaseClock }) {
  if (!legal.known) return <span className="text-ink-faint">{stoppedAt ? "–" : "none known"}</span>;
  const { overdue, dueAt, remainingMs } = legal;
  if (stoppedAt) return overdue ? <Badge tone="warn">Decided late</Badge> : <span>in time</span>;
  if (overdue) return <Badge tone="bad">Overdue {spanOf(remainingMs)}</Badge>;
  return (
    <span>
      due <Time at={dueAt} as="until" />
    </span>
  );
}
