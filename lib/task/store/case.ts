import { membersOf } from "#lib/audit/model/members";
import type { Determination } from "#lib/task/model/determination";
import { detailJson, idIn, readingActs } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";
import { openText } from "#lib/db/sealed";
import { openDetermination } from "./task-rows.ts";
import { voteRow } from "#lib/gate/store/votes";

type Place = { readonly taskId: string; readonly practiceId: string };

/** One entry of a task's history, with the names behind the ids. */
export type HistoryRow = {
  readonly at: Date;
  readonly actor: string;
  readonly act: string;
  /** Empty where it was tampered with. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The receipt that was issued with it. */
  readonly receiptId: string | null;
  /** Whom the case was assigned to, where it was and to somebody. */
  readonly assignee: string | null;
  /** Why somebody released over warnings. */
  readonly why?: string | undefined;
};

/** The audit entries of a task but for who read it, oldest first; people and channels by name. */
export async function loadHistory(store: Store, { taskId, practiceId }: Place): Promise<readonly HistoryRow[]> {
  type Row = Omit<HistoryRow, "why" | "detail"> & {
    detail: string;
    gate_id: string | null;
    person_id: string | null;
    reason: Uint8Array | null;
  };
  const { rows } = await store.pool.query<Row>({
    name: "load-history",
    text: `SELECT a.at, a.act, a.detail, coalesce(p.name, c.name, a.actor) AS actor, r.id AS "receiptId",
            t.name AS assignee, v.gate_id, v.person_id, v.reason
       FROM audit_entry a
       LEFT JOIN decision_receipt r ON r.task_id = a.task_id AND r.audit_seq = a.seq
       LEFT JOIN person p ON p.id = ${idIn("substring(a.actor FROM '^person:(.{36})$')")}
       LEFT JOIN channel c ON c.id = ${idIn("substring(a.actor FROM '^channel:(.{36})$')")}
       LEFT JOIN LATERAL (SELECT ${detailJson("a.detail")} AS detail) d ON true
       LEFT JOIN person t ON a.act = 'case.assigned' AND t.id = ${idIn("d.detail ->> 'to'")}
       LEFT JOIN LATERAL (
         SELECT gate_id, person_id, reason FROM vote
          WHERE d.detail ->> 'withReason' = 'true' AND gate_id = ${idIn("d.detail ->> 'gateId'")}
            AND person_id = p.id AND practice_id = $2 LIMIT 1) v ON true
      WHERE a.task_id = $1 AND a.chain = $2 AND a.act <> ALL ($3) ORDER BY a.seq`,
    values: [taskId, practiceId, readingActs],
  });
  return rows.map(({ gate_id: gateId, person_id: personId, reason, detail, ...read }) => {
    const row = { ...read, detail: membersOf(detail) ?? {} };
    if (!gateId || !personId || !reason) return row;
    return { ...row, why: openText(store, "vote.reason", voteRow({ gateId, personId, practiceId }), reason) };
  });
}

type KeptDetermination = Determination & {
  id: string;
  receivedAt: Date;
  supersedes: string | undefined;
  environment: "live" | "test";
  revision: number | undefined;
};

/** Every determination of a task, in the order in which they came. */
export async function loadDeterminations(
  store: Store,
  { taskId, practiceId }: Place,
): Promise<readonly KeptDetermination[]> {
  type Row = Pick<KeptDetermination, "id" | "receivedAt" | "environment"> & {
    readonly document: Uint8Array;
    readonly supersedes: string | null;
    readonly revision: number | null;
  };
  const { rows } = await store.pool.query<Row>({
    name: "load-determinations",
    text: `SELECT id, document, received_at AS "receivedAt", supersedes, environment, revision FROM determination
            WHERE task_id = $1::uuid AND practice_id = $2 ORDER BY received_at, id`,
    values: [taskId, practiceId],
  });
  return rows.map(({ document, supersedes, ...row }) => ({
    ...openDetermination(store, document, { id: row.id, practiceId }),
    ...row,
    supersedes: supersedes ?? undefined,
    revision: row.revision ?? undefined,
  }));
}

/** What a person last answered at a gate of a task. */
export type LastDecision = {
  readonly revision: number;
  /** What they asked the agent, where they sent it back. */
  readonly question?:
    | { readonly text: string; readonly at: Date; readonly by: string; readonly fields: readonly string[] }
    | undefined;
};

/** The last answer of a person at a gate; undefined where nobody gave one. */
export async function lastDecision(store: Store, { taskId, practiceId }: Place): Promise<LastDecision | undefined> {
  type Row = {
    id: string;
    revision: number;
    status: string;
    at: Date;
    reason: Uint8Array | null;
    fields: string[];
    by: string;
  };
  const { rows } = await store.pool.query<Row>({
    name: "last-decision",
    text: `SELECT g.id, g.revision, g.status, g.decided_at AS at, g.reason, g.fields, coalesce(p.name, g.decided_by::text) AS by
             FROM gate g LEFT JOIN person p ON p.id = g.decided_by
            WHERE g.task_id = $1::uuid AND g.practice_id = $2 AND g.decided_by IS NOT NULL
            ORDER BY g.decided_at DESC LIMIT 1`,
    values: [taskId, practiceId],
  });
  if (!rows[0]) return undefined;
  const { id, revision, status, at, reason, fields, by } = rows[0];
  if (status !== "sent-back" || !reason) return { revision };
  const text = openText(store, "gate.reason", { row: id, practiceId }, reason);
  return { revision, question: { text, at, fields, by } };
}

export async function channelName(store: Store, channelId: string): Promise<string> {
  const { rows } = await store.pool.query<{ name: string }>({
    name: "channel-name",
    text: "SELECT name FROM channel WHERE id = $1::uuid",
    values: [channelId],
  });
  return rows[0]?.name ?? channelId;
}

export async function personName(store: Store, personId: string): Promise<string> {
  const { rows } = await store.pool.query<{ name: string }>({
    name: "person-name",
    text: "SELECT name FROM person WHERE id = $1::uuid",
    values: [personId],
  });
  return rows[0]?.name ?? personId;
}
