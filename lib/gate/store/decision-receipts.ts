import { ownersOf } from "#lib/task/shared/case-owners";
import { Prisma } from "#lib/db/generated/prisma/client";
import type { PersonActor } from "#lib/access/model/actor";
import { assert } from "#lib/platform/result";
import { type Decision, type Receipt, receiptHash, receiptText, signReceipt } from "#lib/gate/receipt/receipt";
import { openReceipt, packedReceipt, receiptFormat, textOfReceipt } from "#lib/gate/receipt/packed-receipt";
import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import type { TaskRow } from "#lib/task/store/task-rows";

type DecisionFacts = {
  /** The task before the decision. */
  readonly row: TaskRow;
  readonly decision: Decision;
  readonly by: PersonActor;
  /** The entry in the practice's audit chain that was written for it, in this transaction. */
  readonly auditSeq: number;
};

/**
 * Signs a decision and adds it to the practice's receipts. Call it after the audit entry was written: the lock on the
 * practice's audit chain lasts until the commit, so the receipts are in one order without a lock of their own.
 */
export async function issueReceipt(
  { tx, store }: { readonly tx: Tx; readonly store: Store },
  decided: DecisionFacts,
): Promise<void> {
  const { signer, compression } = store;
  if (!signer) throw new Error("Nothing is decided without a receipt, and RECEIPT_SIGNING_KEY is not set.");
  const { row, decision, by, auditSeq } = decided;
  const { gate_id: gateId, gate_action: action, gate_revision: revision, gate_digest: gateDigest } = row;
  assert(gateId && action && revision && gateDigest, "a person decides at a gate");
  const found = await readAround(tx, { ...decided, gateId, revision });
  const sequence = (found.last_seq ?? 0) + 1;
  const receipt = signReceipt(signer, {
    version: 1,
    id: newId(),
    practiceId: row.practice_id,
    sequence,
    previousReceiptHash:
      found.last_seq === null
        ? null
        : receiptHash(textOfReceipt({ document: found.last_document, packed: found.last_packed })),
    taskId: row.id,
    gateId,
    action,
    update: row.gate_is_update ?? false,
    environment: row.environment,
    revision,
    revisionDigest: found.revision_digest,
    gateDigest,
    documentDigests: row.gate_document_digests ?? [],
    decision,
    decidedBy: { id: by.id, name: by.name },
    decidedAt: row.now.toISOString(),
    votesNeeded: found.votes_needed,
    votes: found.votes,
    audit: { sequence: auditSeq, hash: found.audit_hash },
  });
  await insert(tx, receipt, { decidedAt: row.now, isPacked: found.may_pack && compression !== "documents" });
}

type Around = {
  readonly last_seq: number | null;
  readonly last_document: string | null;
  readonly last_packed: Uint8Array | null;
  /** No program runs any more that reads text alone. */
  readonly may_pack: boolean;
  readonly revision_digest: string;
  readonly audit_hash: string;
  readonly votes_needed: number;
  readonly votes: Receipt["votes"];
};

/**
 * Which votes count, as the ballot counts them: the person may still review in the practice, and owns no channel that
 * requested something for the task.
 */
const counts = Prisma.sql`p.status = 'active'
  AND EXISTS (SELECT FROM person_role pp WHERE pp.person_id = p.id AND pp.role = 'reviewer' AND pp.practice_id = g.practice_id)
  AND p.id NOT IN (SELECT answering.owner_id FROM (${Prisma.raw(ownersOf("g.task_id"))}) answering)`;

async function readAround(
  tx: Tx,
  { row, gateId, revision, auditSeq }: DecisionFacts & { readonly gateId: string; readonly revision: number },
): Promise<Around> {
  const rows = await tx.$queryRaw<Around[]>`
    SELECT last.seq AS last_seq, last.document AS last_document, last.packed AS last_packed,
           EXISTS (SELECT FROM seal_format WHERE format = ${receiptFormat} AND written_from <= clock_timestamp()) AS may_pack, a.hash AS audit_hash, r.digest AS revision_digest,
           coalesce(needs.votes, 1) AS votes_needed,
           (SELECT coalesce(jsonb_agg(jsonb_build_object(
                     'person', jsonb_build_object('id', p.id, 'name', p.name), 'answer', v.answer,
                     'at', to_char(v.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY v.at, v.person_id), '[]')
              FROM vote v JOIN person p ON p.id = v.person_id WHERE v.gate_id = g.id AND (v.answer <> 'release' OR ${counts})) AS votes
      FROM audit_entry a
      JOIN revision r ON r.task_id = ${row.id}::uuid AND r.number = ${revision}
      JOIN gate g ON g.id = ${gateId}::uuid
      LEFT JOIN vote_rule needs ON needs.practice_id = g.practice_id AND needs.action = g.action AND needs.risk = g.risk
      LEFT JOIN LATERAL (SELECT d.seq, d.document, d.packed FROM decision_receipt d WHERE d.practice_id = a.chain
                          ORDER BY d.seq DESC LIMIT 1) last ON true
     WHERE a.chain = ${row.practice_id} AND a.seq = ${auditSeq}`;
  assert(rows[0], "a decision has its audit entry and its revision");
  return rows[0];
}

async function insert(
  tx: Tx,
  receipt: Receipt,
  { decidedAt, isPacked }: { readonly decidedAt: Date; readonly isPacked: boolean },
): Promise<void> {
  const { id, practiceId, sequence, taskId, gateId, decision, audit, kid } = receipt;
  const text = receiptText(receipt);
  const [document, packed] = isPacked ? [null, packedReceipt(text)] : [text, null];
  await tx.$executeRaw`
    INSERT INTO decision_receipt (id, practice_id, seq, task_id, gate_id, decision, decided_at, audit_seq, kid, document, packed)
    VALUES (${id}::uuid, ${practiceId}, ${sequence}, ${taskId}::uuid, ${gateId}::uuid, ${decision}, ${decidedAt},
            ${audit.sequence}, ${kid}, ${document}, ${packed})`;
}

/** `text`: as issued; undefined where it does not open. */
export type FoundReceipt = {
  readonly practiceId: string;
  readonly sequence: number;
  readonly text: string | undefined;
};

/** One receipt of a case: the last unless one is named. Undefined if those practices have none such. */
export async function findReceipt(
  { prisma }: Store,
  { taskId, receiptId, practices }: { taskId: string; receiptId?: string | undefined; practices: readonly string[] },
): Promise<FoundReceipt | undefined> {
  if (!isUuid(taskId) || (receiptId !== undefined && !isUuid(receiptId))) return undefined;
  const row = await prisma.decisionReceipt.findFirst({
    where: { ...(receiptId === undefined ? {} : { id: receiptId }), taskId, practiceId: { in: [...practices] } },
    orderBy: { seq: "desc" },
    select: { practiceId: true, seq: true, document: true, packed: true },
  });
  return row ? { practiceId: row.practiceId, sequence: row.seq, text: openReceipt(row) } : undefined;
}
