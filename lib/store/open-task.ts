import { v7 as uuidv7 } from "uuid";
import { actorName, type ChannelActor } from "#lib/domain/actor";
import { gateOf, type Task } from "#lib/domain/task";
import { auditDetail } from "./audit.ts";
import type { Store } from "./db.ts";
import { messagePlace } from "./messages.ts";
import { revisionPlace, sealCalls, type FrozenGate } from "./save-task.ts";
import { sealText } from "./seal.ts";

export type NewTask = {
  readonly id: string;
  readonly practiceId: string;
  readonly contextId: string;
  readonly payerId: string;
  readonly environment: "live" | "test";
  readonly task: Task;
  readonly frozen: FrozenGate | undefined;
  readonly procedureCodes: readonly string[];
  readonly patient: string | undefined;
  readonly urgent: boolean;
  readonly revision: { readonly digest: string; readonly bytes: Uint8Array };
  readonly message: {
    readonly messageId: string | undefined;
    readonly contentDigest: string;
    readonly body: Uint8Array;
  };
  readonly at: Date;
};

/**
 * The message decides: where its id was taken, none of the other rows are made.
 * One statement, so that a task, its gate and its audit entry cost one round
 * trip and one commit.
 */
const openTaskText = `
  WITH accepted AS (
    INSERT INTO message (id, task_id, practice_id, channel_id, message_id, content_digest, revision, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8)
    ON CONFLICT (channel_id, message_id) DO NOTHING RETURNING task_id
  ), opened AS (
    INSERT INTO task (id, practice_id, channel_id, context_id, payer_id, environment, motion, gate_id, holds, revision,
                      revision_digest, missing, procedure_codes, patient, urgent, created_at, changed_at)
    SELECT $2::uuid, $3, $4::uuid, $9::uuid, $10, $11, $12, $13::uuid, 'no', 1,
           $17, $14::text[], $15::text[], $16::bytea, $30::boolean, $8::timestamptz, $8::timestamptz FROM accepted
  ), revised AS (
    INSERT INTO revision (task_id, number, practice_id, digest, service_review, created_at)
    SELECT $2::uuid, 1, $3, $17, $18::bytea, $8::timestamptz FROM accepted
  ), gated AS (
    INSERT INTO gate (id, task_id, practice_id, action, is_update, by_hand, revision, digest, document_digests, calls,
                      route_id, route_version, connector, environment, warnings, status, opened_at, expires_at)
    SELECT $13::uuid, $2::uuid, $3, 'transmit', false, $19::boolean, 1, $20, $21::text[], $22::bytea,
           $23::uuid, $24::int, $25, $11, $26::text[], 'open', $8::timestamptz, $27::timestamptz
      FROM accepted WHERE $13::uuid IS NOT NULL
  )
  SELECT audit_append($3, $28, 'task.opened', $2::uuid, $29) FROM accepted`;

/** Makes a task from its first message. False when a message with this id was accepted before. */
export async function insertTask(store: Store, actor: ChannelActor, opening: NewTask): Promise<boolean> {
  const values = openTaskValues(store, actor, opening);
  const { rows } = await store.pool.query({ name: "open-task", text: openTaskText, values });
  return rows.length > 0;
}

function openTaskValues({ sealer }: Store, actor: ChannelActor, opening: NewTask): unknown[] {
  const { id, practiceId, task, frozen, revision, message, at } = opening;
  const gate = gateOf(task);
  const rowId = uuidv7();
  const patientPlace = { table: "task", column: "patient", row: id, practiceId };
  const detail = {
    channel: actor.id,
    revision: 1,
    digest: revision.digest,
    gate: gate?.digest ?? null,
    to: gate ? "transmit-held" : "needs-information",
  };
  return [
    rowId,
    id,
    practiceId,
    actor.id,
    message.messageId ?? null,
    message.contentDigest,
    sealer.seal(message.body, messagePlace(rowId, practiceId)),
    at,
    opening.contextId,
    opening.payerId,
    opening.environment,
    task.motion.kind,
    gate?.id ?? null,
    task.missing,
    opening.procedureCodes,
    opening.patient === undefined ? null : sealText(sealer, opening.patient, patientPlace),
    revision.digest,
    sealer.seal(revision.bytes, revisionPlace(id, 1, practiceId)),
    gate?.byHand ?? null,
    gate?.digest ?? null,
    frozen?.documentDigests ?? null,
    frozen ? sealCalls(sealer, frozen, practiceId) : null,
    frozen?.routeId ?? null,
    frozen?.routeVersion ?? null,
    frozen?.connector ?? null,
    frozen?.warnings ?? null,
    gate?.expiresAt ?? null,
    actorName(actor),
    auditDetail(detail),
    opening.urgent,
  ];
}
