import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { stateOf, type Digest } from "#lib/task/model/task";
import { findPractice } from "#lib/practice/shared/practices";
import { documentDigest } from "#lib/payer/digest";
import { readPacket, type PacketLine, type PacketSection } from "#lib/payer/packet";
import { inTransaction, type Store } from "#lib/db/db";
import { loadGate, openCalls } from "#lib/gate/shared/gates";
import { loadTask, type Scope } from "#lib/task/store/load-task";
import { recordReading } from "#lib/task/shared/readings";
import { rowToTask } from "#lib/task/store/task-rows";
import { practicesOf } from "#lib/task/change";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "#lib/task/refusal";
import { shortIdOf } from "#lib/task/model/short-id";
import { preflightFailure } from "./transmission.ts";

export type { PacketLine, PacketSection };

/** The sheet for a manual submission, read from the released bytes and nothing else. */
export type Packet = {
  readonly taskId: string;
  readonly shortId: string;
  readonly environment: "live" | "test";
  readonly releasedAt: Date;
  /** IANA name, in which the practice reads when it was released. */
  readonly timeZone: string;
  readonly gateDigest: Digest;
  readonly documentDigest: Digest;
  readonly bytes: number;
  readonly text: string;
  /** Absent if the text can't be laid out as a sheet without changing what it says. */
  readonly sections?: readonly PacketSection[] | undefined;
};

/**
 * The released sheet of a case, for a reviewer of its practice; anyone else gets `not-found`. Before the release, or
 * once it no longer applies, there is none, so that nobody prints what may not be submitted: by the same checks as when a
 * person takes it to submit. The reading is put in the audit log first.
 */
export async function readReleasedPacket(
  ctx: Context<PersonActor>,
  { taskId }: { taskId: string },
): Promise<Result<Packet, Refusal>> {
  const { actor, store } = ctx;
  const row = await loadTask(store, { taskId, practices: practicesOf(ctx) });
  if (!row) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found" });
  }
  const none = refuse({ type: "stale", state: stateOf(rowToTask(store, row)) });
  if (!row.gate_id || !row.gate_is_manual || row.gate_status !== "released") return none;
  if (!(await mayLeave(store, { taskId, practices: practicesOf(ctx) }))) return none;
  const gate = await loadGate(store, { gateId: row.gate_id, practiceId: row.practice_id });
  const [call] = await openCalls(store, gate);
  if (!call || !gate.decidedAt) return none;
  const digest = documentDigest(call.body);
  assert(gate.documentDigests[0] === digest, "the frozen packet is the one that was released");
  const practice = await findPractice(store, row.practice_id);
  assert(practice, "a task's practice exists");
  const text = Buffer.from(call.body).toString("utf8");
  await recordReading(store, {
    actor,
    taskId: row.id,
    practiceId: row.practice_id,
    part: `packet:${gate.id}`,
    act: "case.packet-opened",
    detail: { gateId: gate.id, gate: gate.digest },
  });
  return ok({
    taskId: row.id,
    shortId: shortIdOf(row.id),
    environment: gate.environment,
    releasedAt: gate.decidedAt,
    timeZone: practice.timeZone,
    gateDigest: gate.digest,
    documentDigest: digest,
    bytes: call.body.length,
    text,
    sections: readPacket(text),
  });
}

/** Whether the release still stands, or somebody took it to submit while it did. */
function mayLeave(store: Store, scope: Scope): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    const row = await loadTask(tx, scope);
    if (!row) return false;
    const task = rowToTask(tx, row);
    return task.stage.kind !== "released" || (await preflightFailure({ tx, row, task })) === undefined;
  });
}
