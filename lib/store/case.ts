import type { Determination } from "#lib/domain/determination";
import { readingActs } from "./audit.ts";
import type { Store } from "./db.ts";
import { openText } from "./seal.ts";
import { openDetermination } from "./task-rows.ts";
import { votePlace } from "./votes.ts";

type Place = { readonly taskId: string; readonly practiceId: string };

/** One entry of a task's history, with the names behind the ids. */
export type HistoryRow = {
  readonly at: Date;
  readonly actor: string;
  readonly act: string;
  readonly detail: string;
  /** The receipt that was issued with it. */
  readonly receiptId: string | null;
  /** Whom the case was assigned to, where it was and to somebody. */
  readonly assignee: string | null;
  /** Why somebody released over warnings. */
  readonly why?: string | undefined;
};

/** The audit entries of a task but for who read it, oldest first; people and channels by name. */
export async function loadHistory(store: Store, { taskId, practiceId }: Place): Promise<readonly HistoryRow[]> {
  type Row = Omit<HistoryRow, "why"> & { gate_id: string | null; person_id: string | null; reason: Uint8Array | null };
  const { rows } = await store.pool.query<Row>({
    name: "load-history",
    text: `SELECT a.at, a.act, a.detail, coalesce(p.name, c.name, a.actor) AS actor, r.id AS "receiptId",
            t.name AS assignee, v.gate_id, v.person_id, v.reason
       FROM audit_entry a
       LEFT JOIN decision_receipt r ON r.task_id = a.task_id AND r.audit_seq = a.seq
       LEFT JOIN person p ON p.id = substring(a.actor FROM '^person:(.{36})$')::uuid
       LEFT JOIN channel c ON c.id = substring(a.actor FROM '^channel:(.{36})$')::uuid
       LEFT JOIN person t ON t.id = CASE WHEN a.act = 'case.assigned' THEN (a.detail::jsonb ->> 'to')::uuid END
       LEFT JOIN LATERAL (
         SELECT gate_id, person_id, reason FROM vote
          WHERE a.detail::jsonb ->> 'withReason' = 'true' AND gate_id = (a.detail::jsonb ->> 'gateId')::uuid
            AND person_id = p.id AND practice_id = $2 LIMIT 1) v ON true
      WHERE a.task_id = $1 AND a.chain = $2 AND a.act <> ALL ($3) ORDER BY a.seq`,
    values: [taskId, practiceId, readingActs],
  });
  return rows.map(({ gate_id: gateId, person_id: personId, reason, ...row }) => {
    if (!gateId || !personId || !reason) return row;
    return { ...row, why: openText(store.sealer, reason, votePlace({ gateId, personId, practiceId })) };
  });
}

type KeptDetermination = Determination & {
  id: string;
  receivedAt: Date;
  supersedes: string | undefined;
  environment: "live" | "test";
};

/** Every determination of a task, in the order in which they came. */
export async function loadDeterminations(
  store: Store,
  { taskId, practiceId }: Place,
): Promise<readonly KeptDetermination[]> {
  const rows = await store.prisma.determination.findMany({
    where: { taskId, practiceId },
    orderBy: [{ receivedAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ id, document, receivedAt, supersedes, environment }) => ({
    ...openDetermination(store.sealer, document, { id, practiceId }),
    id,
    receivedAt,
    supersedes: supersedes ?? undefined,
    // Safe because the table's checks allow no other words.
    environment: environment as "live" | "test",
  }));
}

/** What a person last answered at a gate of a task. */
export type LastDecision = {
  readonly revision: number;
  /** What they asked the agent, where they sent it back. */
  readonly question?:
    { readonly text: string; readonly at: Date; readonly by: string; readonly fields: readonly string[] } | undefined;
};

/** The last answer of a person at a gate; undefined where nobody gave one. */
export async function lastDecision(store: Store, { taskId, practiceId }: Place): Promise<LastDecision | undefined> {
  const gate = await store.prisma.gate.findFirst({
    where: { taskId, practiceId, decidedBy: { not: null } },
    orderBy: { decidedAt: "desc" },
    select: { id: true, revision: true, status: true, decidedAt: true, decidedBy: true, reason: true, fields: true },
  });
  if (!gate) return undefined;
  const { id, revision, status, decidedAt: at, decidedBy, reason, fields } = gate;
  if (status !== "sent-back" || !at || !decidedBy || !reason) return { revision };
  const text = openText(store.sealer, reason, { table: "gate", column: "reason", row: id, practiceId });
  return { revision, question: { text, at, fields, by: await personName(store, decidedBy) } };
}

export async function channelName(store: Store, channelId: string): Promise<string> {
  const channel = await store.prisma.channel.findFirst({ where: { id: channelId }, select: { name: true } });
  return channel?.name ?? channelId;
}

export async function personName(store: Store, personId: string): Promise<string> {
  const person = await store.prisma.person.findFirst({ where: { id: personId }, select: { name: true } });
  return person?.name ?? personId;
}
