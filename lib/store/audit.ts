import canonicalize from "canonicalize";
import { actorName, type Actor } from "#lib/domain/actor";
import { assert } from "#lib/domain/result";
import type { Store, Tx } from "./db.ts";

/** Everything the audit record can say happened to a task. */
export type TaskAct =
  | "task.opened"
  | "task.amended"
  | "task.withdrawn"
  | "task.adopted"
  | "task.attended"
  | "void.asked"
  | "gate.voted"
  | "gate.vote-taken-back"
  | "gate.released"
  | "gate.declined"
  | "gate.sent-back"
  | "gate.recalled"
  | "gate.expired"
  | "gate.re-held"
  | "transmission.claimed"
  | "transmission.started"
  | "transmission.lapsed"
  | "transmission.not-sent"
  | "transmission.accepted"
  | "transmission.rejected"
  | "transmission.doubted"
  | "transmission.settled"
  | "payer.decided"
  | "payer.wants"
  | "payer.voided"
  | "payer.rejected"
  | "payer.answered-late"
  | "payer.void-refused"
  | "payer.asks-contact"
  | "payer.unreadable";

/** What people do around a case without moving it. */
export type DeskAct =
  "case.claimed" | "case.claim-taken-over" | "case.claim-given-up" | "case.assigned" | "case.noted" | ReadingAct;

/** Who read what; recorded on the first reading of a day. */
export const readingActs = ["case.opened", "case.file-opened", "case.packet-opened"] as const;
export type ReadingAct = (typeof readingActs)[number];

/** What leaves a case as it was for whoever reads it: nobody is told that it changed. */
export const quietActs: readonly DeskAct[] = [
  ...readingActs,
  "case.claimed",
  "case.claim-taken-over",
  "case.claim-given-up",
];

/** Everything else that is recorded: rights, people, keys, routes, denials. */
export type AdminAct =
  | "practice.created"
  | "practice.renamed"
  | "practice.suspended"
  | "practice.resumed"
  | "practice.settings-changed"
  | "practice.noted-warnings-set"
  | "practice.vote-rule-set"
  | "channel.created"
  | "channel.changed"
  | "channel.suspended"
  | "channel.resumed"
  | "channel.key-created"
  | "channel.key-revoked"
  | "person.created"
  | "person.disabled"
  | "person.signed-in"
  | "person.signed-out"
  | "person.proved-again"
  | "cases.searched"
  | "person.mail-chosen"
  | "route.set"
  | "route.subscribed"
  | "route.subscription-ended"
  | "route.line-of-business-set";

export type AuditEntry = {
  /** The practice's id, `channel:<id>` or `people`: one chain each. */
  readonly chain: string;
  readonly actor: Actor;
  readonly act: TaskAct | DeskAct | AdminAct;
  readonly taskId?: string | undefined;
  /** Ids, digests, numbers and states only; never patients' data. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Appends one link and returns its number. Call it late in the transaction: the chain stays locked until the commit. */
export async function appendAudit(tx: Tx, { chain, actor, act, taskId, detail }: AuditEntry): Promise<number> {
  const rows = await tx.$queryRaw<{ seq: number }[]>`
    SELECT audit_append(${chain}, ${actorName(actor)}, ${act}, ${taskId ?? null}::uuid, ${auditDetail(detail)})::int AS seq`;
  assert(rows[0], "an audit entry that was appended has its number");
  return rows[0].seq;
}

/** The exact text the hash covers. */
export function auditDetail(detail: AuditEntry["detail"]): string {
  return canonicalize(detail) ?? "{}";
}

/** A chain as it stands, and the first entry that does not follow from the one before it. */
export type ChainReport = {
  readonly chain: string;
  readonly entries: number;
  readonly head: string;
  readonly broken?: { readonly seq: number; readonly problem: "edited" | "missing" | "reordered" } | undefined;
};

/**
 * Walks every chain (or one) and recomputes each hash. An edited, removed or
 * reordered entry is named by its number; a cut tail shows only against a head
 * noted elsewhere.
 */
export async function verifyAudit(store: Store, chain?: string): Promise<readonly ChainReport[]> {
  const { rows } = await store.pool.query<AuditLink>(
    `SELECT chain, seq::int AS seq, prev_hash, hash,
            audit_hash(prev_hash, chain, seq, at, actor, act, task_id, detail) AS computed
       FROM audit_entry WHERE $1::text IS NULL OR chain = $1 ORDER BY chain, seq`,
    [chain ?? null],
  );
  const links = Map.groupBy(rows, (row) => row.chain);
  return [...links].map(([name, entries]) => checkChain(name, entries));
}

type AuditLink = { chain: string; seq: number; prev_hash: string; hash: string; computed: string };

function checkChain(chain: string, links: readonly AuditLink[]): ChainReport {
  const hashes = new Set(links.map((link) => link.hash));
  let previous = { seq: 0, hash: "" };
  for (const link of links) {
    const report = { chain, entries: links.length, head: links.at(-1)?.hash ?? "" };
    if (link.seq !== previous.seq + 1) return { ...report, broken: { seq: previous.seq + 1, problem: "missing" } };
    if (link.prev_hash !== previous.hash && hashes.has(link.prev_hash)) {
      return { ...report, broken: { seq: link.seq, problem: "reordered" } };
    }
    if (link.prev_hash !== previous.hash || link.computed !== link.hash) {
      return { ...report, broken: { seq: link.seq, problem: "edited" } };
    }
    previous = link;
  }
  return { chain, entries: links.length, head: previous.hash };
}
