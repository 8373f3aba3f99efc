import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { gateOf } from "#lib/task/model/task";
import { findTask } from "#lib/task/store/load-task";
import { hasVotes } from "#lib/gate/shared/has-votes";
import { changeTask, unchanged } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";
import { reasons } from "#lib/messages/reasons/case";
import { holdAgain } from "./transmission.ts";

/** A submission that left, as noted outside the database. */
export type FoundSubmission = {
  readonly taskId: string;
  readonly gateId: string;
  readonly attempt: number;
  readonly at: Date;
  /** Something of its case does not open: it is left to a person, and nothing of it is read. */
  readonly isUnreadable?: boolean;
};

/**
 * `inquired`: the payer is asked about it. `unknown-gate`: a person looks at its case. `unknown-case`: the case is
 * lost. `unreadable`: the case is there, and something of it does not open.
 */
export type FoundAs = "inquired" | "unknown-gate" | "unknown-case" | "unreadable";

const lost = reasons.restoredAskPayer;
const restored = reasons.restoredSince;

/**
 * Takes up a submission that a restored database does not know. Nothing is submitted again: its outcome is unknown
 * until the payer or a person says it.
 */
export async function recoverSubmission(
  { store, actor }: Context,
  { taskId, gateId, attempt, at, isUnreadable = false }: FoundSubmission,
): Promise<Result<FoundAs, Refusal>> {
  if (!(await findTask(store, { taskId, practices: [] })).exists) return ok("unknown-case");
  const changed = await changeTask<FoundAs>({ store, actor }, { taskId, practices: "every" }, async (loaded) => {
    const { row, task } = loaded;
    const { stage } = task;
    const detail = { gateId, attempt, at: at.toISOString() };
    const isGate = gateOf(task)?.id === gateId && !task.payer.voided && !isUnreadable;
    if (isGate && (stage.kind === "unconfirmed" || (stage.kind === "submitting" && stage.started)))
      return ok(unchanged("inquired"));
    if (isGate) {
      return ok({
        commands: [{ type: "record-found-submission", at }],
        value: "inquired",
        detail,
        writes: { answer: "found", reported: { sentAt: at }, poll: { at: row.now, count: 0 } },
      });
    }
    if (task.attention === "lost-submission") return ok(unchanged("unknown-gate"));
    const waits = !isUnreadable && (stage.kind === "held" || stage.kind === "released");
    const again = waits ? await holdAgain(loaded, { reason: lost, channelLost: false }) : unchanged();
    const commands = [...again.commands, { type: "record-lost-submission", reason: lost } as const];
    return ok({ ...again, commands, detail, value: "unknown-gate" });
  });
  return changed.ok ? ok(changed.value.value ?? "inquired") : changed;
}

/** Holds a release, or an open gate with votes, again at a new gate without votes. Returns whether there was one. */
export async function holdAfterRecovery({ store, actor }: Context, taskId: string): Promise<boolean> {
  const changed = await changeTask({ store, actor }, { taskId, practices: "every" }, async (loaded) => {
    const { stage } = loaded.task;
    const isHeld = stage.kind === "held" && (await hasVotes(loaded.tx, stage.gate.id));
    if (stage.kind !== "released" && !isHeld) return ok(unchanged());
    return ok(await holdAgain(loaded, { reason: restored, channelLost: false }));
  });
  return changed.ok && changed.value.events.length > 0;
}
