import { progressOf } from "#lib/task/model/authorization-progress";
import { decisionReason } from "#lib/task/model/decision-reasons";
import { reviewActions, type DeterminationLine } from "#lib/task/model/determination";
import type { DeterminationView, TaskRecord } from "#lib/task/views";

/** A determination on the wire: instants in RFC 3339, and a label of ours beside each code. The first has version 1. */
export function determinationData({ receivedAt, lines, ...decided }: DeterminationView, version: number) {
  const progress = progressOf(lines).filter(({ remaining }) => remaining > 0);
  return {
    ...decided,
    version,
    receivedAt: receivedAt.toISOString(),
    lines: lines.map(lineData),
    progress: progress.length > 0 ? progress : undefined,
  };
}

/** The determination in force, as a member of the task and as an artifact. */
export function determinationView({ determination, superseded }: TaskRecord) {
  return determination && determinationData(determination, superseded.length + 1);
}

function lineData({ action, reasons, ...line }: DeterminationLine) {
  return { ...line, action, label: reviewActions[action], reasons: reasons.map(decisionReason) };
}
