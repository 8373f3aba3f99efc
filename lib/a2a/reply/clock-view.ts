import type { CaseClock } from "#lib/task/case-clock";

/**
 * The payer's legal time to decide, on the wire. `known` is false where nobody
 * has said which rules bind the payer, or where none are known here.
 */
export function clockView({ startedAt, startedBy, stoppedAt, legal }: CaseClock) {
  const started = {
    startedAt: startedAt.toISOString(),
    startedBy,
    stoppedAt: stoppedAt?.toISOString(),
    known: legal.known,
  };
  if (!legal.known) return started;
  const { lineOfBusiness, urgency, within, source, note } = legal.rule;
  return {
    ...started,
    dueAt: legal.dueAt.toISOString(),
    overdue: legal.overdue,
    rule: { lineOfBusiness, urgency, within, source, note },
  };
}
