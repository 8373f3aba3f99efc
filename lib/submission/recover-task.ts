import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { gateOf } from "#lib/task/model/task";
import { findTask } from "#lib/task/store/load-task";
import { hasVotes } from "#lib/gate/store/votes";
import { changeTask, type Change, type LoadedTask } from "#lib/task/change";
import type { Refusal } from "#lib/task/refusal";
import { holdAgain } from "./transmission.ts";

/** A submission that left, as it was noted outside the database. */
export type FoundSubmission = {
  readonly taskId: string;
  readonly gateId: string;
  readonly attempt: number;
  readonly at: Date;
};

/** `asked`: the payer is asked about it. `unknown-gate`: a person looks at its case. `unknown-case`: the case is lost. */
export type FoundAs = "asked" | "unknown-gate" | "unknown-case";

const lost =
  "The database was restored from an earlier state. The payer may have a submission of this case that is not in it: ask the payer before anything is released.";
const restored =
  "The database was restored from an earlier state: this may have been submitted, recalled or withdrawn since.";

/**
 * Takes up a submission that a restored database does not know. Nothing is submitted again: its outcome is unknown until
 * the payer says it, or a person does.
 */
export async function recoverSubmission(
  { store, actor }: Context,
  { taskId, gateId, attempt, at }: FoundSubmission,
): Promise<Result<FoundAs, Refusal>> {
  if (!(await findTask(store, { taskId, practices: [] })).exists) return ok("unknown-case");
  let found: FoundAs = "asked";
  const changed = await changeTask({ store, actor }, { taskId, practices: "every" }, async (loaded) => {
    const { row, task } = loaded;
    const { motion } = task;
    found = "asked";
    const detail = { gateId, attempt, at: at.toISOString() };
    const isGate = gateOf(task)?.id === gateId && !task.payer.voided;
    if (isGate && (motion.kind === "unconfirmed" || (motion.kind === "sending" && motion.started)))
      return ok("nothing");
    if (isGate) {
      return ok({
        events: [{ type: "found-submitted", at }],
        act: "transmission.found",
        detail,
        writes: { answer: "found", told: { sentAt: at }, poll: { at: row.now, count: 0 } },
      });
    }
    found = "unknown-gate";
    if (task.attention === "lost-submission") return ok("nothing");
    const again = motion.kind === "held" || motion.kind === "released" ? await heldAgain(loaded, lost) : undefined;
    return ok({
      events: [...(again?.events ?? []), { type: "submission-lost", reason: lost }],
      act: "transmission.lost",
      detail,
      frozen: again?.frozen ?? [],
    });
  });
  return changed.ok ? ok(found) : changed;
}

/** Holds what is released, or partly released, at a new gate without votes. Whether there was something to hold. */
export async function holdAfterRecovery({ store, actor }: Context, taskId: string): Promise<boolean> {
  const changed = await changeTask({ store, actor }, { taskId, practices: "every" }, async (loaded) => {
    const { motion } = loaded.task;
    const isHeld = motion.kind === "held" && (await hasVotes(loaded.tx, motion.gate.id));
    if (motion.kind !== "released" && !isHeld) return ok("nothing");
    return holdAgain(loaded, { reason: restored, channelLost: false });
  });
  return changed.ok && changed.value.after !== changed.value.before;
}

async function heldAgain(loaded: LoadedTask, reason: string): Promise<Change | undefined> {
  const held = await holdAgain(loaded, { reason, channelLost: false });
  return held.ok ? held.value : undefined;
}
