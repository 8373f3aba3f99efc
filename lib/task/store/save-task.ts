import canonicalize from "canonicalize";
import type { Determination } from "#lib/task/model/determination";
import { gateOf, type Gate, type Task } from "#lib/task/model/task";
import type { DeclineCode } from "#lib/task/model/decline-code";
import type { Risk } from "#lib/task/model/risk";
import type { GateEnd } from "#lib/task/model/step";
import { timesAfter, type LearnedTimes, type Times } from "#lib/task/model/times";
import { listByCodes } from "./closed-codes.ts";
import type { Tx } from "#lib/db/db";
import { filterBits } from "./filter-bits.ts";
import { listColumns } from "./list-columns.ts";
import { saveTransmission, submissionUpdate, type SubmissionReport } from "#lib/submission/store/save-submission";
import { sealText, type Sealer } from "#lib/db/seal";
import { rowToTimes, type TaskRow } from "./task-rows.ts";
import { saveVote, type Vote } from "#lib/gate/store/votes";

/** What was frozen when a gate opened, as it is kept. */
export type FrozenGate = {
  readonly id: string;
  readonly calls: readonly { method: string; url: string; contentType: string; body: Uint8Array }[];
  readonly documentDigests: readonly string[];
  readonly routeId: string | undefined;
  readonly routeVersion: number;
  readonly connector: string;
  readonly environment: "live" | "test";
  readonly warnings: readonly string[];
  /** By when the practice wants it answered. */
  readonly dueAt: Date;
  /** Why the agent asked, for a void. */
  readonly purpose?: string | undefined;
};

/** Who answered a gate, and what they said to it. */
export type GateAnswer = {
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly reasonCode?: DeclineCode | undefined;
  /** JSON pointers into the service review. */
  readonly fields?: readonly string[] | undefined;
};

/** Everything one change writes beside the task itself. */
export type TaskWrites = SubmissionReport & {
  readonly closed: readonly ({ gateId: string; as: GateEnd } & GateAnswer)[];
  readonly opened: readonly { gate: Gate; frozen: FrozenGate; risk: Risk }[];
  readonly vote?: Vote | undefined;
  readonly revision?:
    | {
        digest: string;
        bytes: Uint8Array;
        procedureCodes: readonly string[];
        payerId: string;
        urgent: boolean;
        attachmentCount: number;
      }
    | undefined;
  readonly patient?: string | undefined;
  readonly memberId?: string | undefined;
  readonly adoptedBy?: string | undefined;
  /** When to ask the payer next and how often it was asked; a null time ends the asking. */
  readonly poll?: { at: Date | null; count: number } | undefined;
};

type Where = { readonly tx: Tx; readonly sealer: Sealer; readonly row: TaskRow };

/**
 * Writes the next task over exactly the version that was read. False when
 * another change came first: then nothing was written.
 */
export async function saveTask({ tx, sealer, row }: Where, task: Task, writes: TaskWrites): Promise<boolean> {
  const { motion, payer } = task;
  const place = { table: "task", row: row.id, practiceId: row.practice_id };
  const gate = gateOf(task);
  const sending = submissionUpdate(row, task, writes);
  const times = timesOf(row, task, { ...writes.told, leftAt: sending?.leftAt });
  const { count } = await tx.task.updateMany({
    where: { id: row.id, practiceId: row.practice_id, version: row.version },
    data: {
      version: row.version + 1,
      motion: motion.kind,
      motionEnd: motion.kind === "ended" ? motion.end : null,
      gateId: gate?.id ?? writes.opened.at(-1)?.gate.id ?? row.gate_id,
      holds: payer.holds,
      reference: payer.reference ?? null,
      wants:
        payer.wants === undefined ? null : sealText(sealer, JSON.stringify(payer.wants), { ...place, column: "wants" }),
      determinationId: payer.determination?.id ?? null,
      voidPending: payer.voidPending ?? false,
      voided: payer.voided ?? null,
      revision: task.revision,
      missing: [...task.missing],
      attention: task.attention ?? null,
      remarkBy: task.remark?.by ?? null,
      remark: task.remark ? sealText(sealer, task.remark.text, { ...place, column: "remark" }) : null,
      // An agent goes by it, so it never goes back, whatever became of the database's clock.
      changedAt: row.now > row.changed_at ? row.now : row.changed_at,
      ...timeColumns(times),
      ...(await listColumns({ tx, sealer, row }, task, { ...writes, times })),
      ...(writes.poll ? { pollAt: writes.poll.at, polls: writes.poll.count } : {}),
      environment: writes.opened.at(-1)?.frozen.environment ?? row.environment,
      ...(writes.adoptedBy ? { adoptedBy: writes.adoptedBy } : {}),
      ...(writes.revision
        ? {
            procedureCodes: [...writes.revision.procedureCodes],
            filterBits: filterBits({
              payerId: writes.revision.payerId,
              channelId: row.channel_id,
              codes: writes.revision.procedureCodes,
            }),
            revisionDigest: writes.revision.digest,
            payerId: writes.revision.payerId,
            urgent: writes.revision.urgent,
            attachmentCount: writes.revision.attachmentCount,
            patient: writes.patient ? sealText(sealer, writes.patient, { ...place, column: "patient" }) : null,
            memberHash: writes.memberId ? sealer.memberHash(writes.memberId, row.practice_id) : null,
          }
        : {}),
    },
  });
  if (count === 0) return false;
  if (writes.revision) await insertRevision({ tx, sealer, row }, task.revision, writes.revision);
  await closeGates({ tx, sealer, row }, writes);
  for (const opened of writes.opened) await insertGate({ tx, sealer, row }, opened);
  await saveTransmission({ tx, sealer, row }, task, { ...writes, sending });
  await listByCodes({ tx, sealer, row }, task);
  return true;
}

function timesOf(row: TaskRow, task: Task, learned: Omit<LearnedTimes, "now">): Times {
  const before = { ...rowToTimes(row), holds: row.holds };
  return timesAfter(before, task.payer, { ...learned, now: row.now });
}

function timeColumns({ sentAt, received, decidedAt, voidedAt }: Times) {
  return {
    sentAt: sentAt ?? null,
    payerReceivedAt: received?.at ?? null,
    payerReceivedBy: received?.by ?? null,
    decidedAt: decidedAt ?? null,
    voidedAt: voidedAt ?? null,
  };
}

async function insertRevision(
  { tx, sealer, row }: Where,
  number: number,
  revision: NonNullable<TaskWrites["revision"]>,
) {
  await tx.revision.create({
    data: {
      taskId: row.id,
      number,
      practiceId: row.practice_id,
      digest: revision.digest,
      serviceReview: sealer.seal(revision.bytes, revisionPlace(row.id, number, row.practice_id)),
      createdAt: row.now,
    },
  });
}

export function revisionPlace(taskId: string, number: number, practiceId: string) {
  return { table: "revision", column: "service_review", row: `${taskId}/${number}`, practiceId };
}

async function closeGates({ tx, sealer, row }: Where, { closed, vote }: TaskWrites) {
  for (const { gateId, as, by, reason, reasonCode, fields } of closed) {
    const place = { table: "gate", column: "reason", row: gateId, practiceId: row.practice_id };
    await tx.gate.update({
      where: { id: gateId },
      data: {
        status: as,
        decidedAt: row.now,
        ...(by ? { decidedBy: by } : {}),
        ...(reason ? { reason: sealText(sealer, reason, place) } : {}),
        ...(reasonCode ? { reasonCode } : {}),
        ...(fields ? { fields: [...fields] } : {}),
      },
    });
  }
  if (vote) await saveVote({ tx, sealer }, row.practice_id, vote, row.now);
}

async function insertGate({ tx, sealer, row }: Where, { gate, frozen, risk }: TaskWrites["opened"][number]) {
  await tx.gate.create({
    data: {
      id: gate.id,
      taskId: row.id,
      practiceId: row.practice_id,
      action: gate.action,
      isUpdate: gate.update,
      byHand: gate.byHand,
      revision: gate.revision,
      digest: gate.digest,
      documentDigests: [...frozen.documentDigests],
      calls: sealCalls(sealer, frozen, row.practice_id),
      purpose:
        frozen.purpose === undefined ? null : sealText(sealer, frozen.purpose, purposePlace(gate.id, row.practice_id)),
      routeId: frozen.routeId ?? null,
      routeVersion: frozen.routeVersion,
      connector: frozen.connector,
      environment: frozen.environment,
      warnings: [...frozen.warnings],
      risk,
      status: "open",
      openedAt: gate.openedAt,
      expiresAt: gate.expiresAt,
    },
  });
}

export function purposePlace(gateId: string, practiceId: string) {
  return { table: "gate", column: "purpose", row: gateId, practiceId };
}

/** The frozen calls in one sealed value; bodies are kept byte for byte. */
export function sealCalls(sealer: Sealer, { id, calls }: Pick<FrozenGate, "id" | "calls">, practiceId: string) {
  const kept = calls.map((call) => ({ ...call, body: Buffer.from(call.body).toString("base64") }));
  return sealText(sealer, JSON.stringify(kept), { table: "gate", column: "calls", row: id, practiceId });
}

type NewDetermination = {
  readonly id: string;
  readonly determination: Determination;
  /** The payer's own instant, as it gave it. */
  readonly decidedAt: Date | undefined;
  readonly environment: "live" | "test";
  /** The determination this one takes the place of. */
  readonly supersedes: string | undefined;
};

/** Keeps a determination beside the task; the one it supersedes stays. */
export async function insertDetermination(
  { tx, sealer, row }: Where,
  { id, determination, decidedAt, environment, supersedes }: NewDetermination,
) {
  const place = { table: "determination", column: "document", row: id, practiceId: row.practice_id };
  await tx.determination.create({
    data: {
      id,
      taskId: row.id,
      practiceId: row.practice_id,
      outcome: determination.outcome,
      environment,
      document: sealText(sealer, canonicalize(determination) ?? "", place),
      decidedAt: decidedAt ?? null,
      receivedAt: row.now,
      supersedes: supersedes ?? null,
    },
  });
}

/** Keeps what the payer said. False when the same was kept before: then there is nothing new to record. */
export async function insertPayerEvent(
  { tx, sealer, row }: Where,
  event: {
    id: string;
    kind: string;
    digest: string;
    payload: Uint8Array | undefined;
    payerAt?: Date | undefined;
    unread?: boolean | undefined;
  },
): Promise<boolean> {
  const place = { table: "payer_event", column: "payload", row: event.id, practiceId: row.practice_id };
  const { count } = await tx.payerEvent.createMany({
    data: {
      id: event.id,
      taskId: row.id,
      practiceId: row.practice_id,
      gateId: row.gate_id,
      kind: event.kind,
      digest: event.digest,
      payload: event.payload ? sealer.seal(event.payload, place) : null,
      payerAt: event.payerAt ?? null,
      receivedAt: row.now,
      heardAt: row.now,
      unread: event.unread === true && event.payload !== undefined,
    },
    skipDuplicates: true,
  });
  return count > 0;
}
