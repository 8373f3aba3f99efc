import type { CaseView, HistoryEntry } from "#lib/task/views";

type Of = Pick<CaseView, "createdAt" | "changedAt" | "gate" | "submissions" | "history">;

/**
 * When each step was taken, by the case's own instants where it has them: a manual submission is recorded after it was
 * made, and a demo case is older than its entries in the audit log. No step is later than the one after it.
 */
export function stepTimes<Step extends HistoryEntry>(
  steps: readonly Step[],
  view: Of,
): readonly (Step & { at: Date })[] {
  const last = Math.max(...view.history.map(versionOf));
  return steps.reduceRight<readonly (Step & { at: Date })[]>((later, step) => {
    const at = ownTime(step, view) ?? (versionOf(step) === last ? view.changedAt : step.at);
    const next = later[0]?.at;
    return [{ ...step, at: next && next < at ? next : at }, ...later];
  }, []);
}

function ownTime({ act, detail: { gateId } }: HistoryEntry, { createdAt, gate, submissions }: Of): Date | undefined {
  if (act === "task.opened") return createdAt;
  if (gate === undefined || gateId !== gate.id) return undefined;
  if (act.startsWith("gate.")) return gate.decidedAt;
  const sent = submissions.find(({ gateDigest }) => gateDigest === gate.digest);
  return act.startsWith("transmission.") ? (sent?.manual ? sent.sentAt : sent?.answeredAt) : undefined;
}

/** The version of the case that an entry made; 0 where it changed nothing of it. */
function versionOf({ detail: { version } }: HistoryEntry): number {
  return typeof version === "number" ? version : 0;
}
