import type { Store, Tx } from "#lib/db/db";
import { keysOf } from "#lib/db/practice-keys";
import { openText } from "#lib/db/sealed";
import { termsOfCase } from "#lib/queue/model/search-terms";
import type { Act } from "#lib/task/model/lifecycle/event";
import type { ServiceReview } from "#lib/task/model/service-review";
import { caseToken } from "#lib/task/shared/case-token";
import { openDetermination } from "#lib/task/store/task-rows";

/** What happens most and changes neither whom a case is for nor the number a payer gave it; all else is looked at. */
const untelling: readonly Act[] = [
  ...(["gate.voted", "gate.released", "gate.auto-released", "gate.recalled"] as const),
  ...(["transmission.claimed", "transmission.started", "transmission.lapsed", "transmission.not-sent"] as const),
];

/** Practices whose audit log has grown since it was last followed. */
export async function practicesToIndex({ prisma }: Store): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM practice p LEFT JOIN search_progress s ON s.practice_id = p.id
     WHERE coalesce(s.seq, 0) < (SELECT seq FROM audit_entry WHERE chain = p.id ORDER BY seq DESC LIMIT 1)`;
  return rows.map(({ id }) => id);
}

/** How far the practice's audit log was followed, held until the commit; undefined where another worker holds it. */
export async function lockSearchProgress(tx: Tx, practiceId: string): Promise<bigint | undefined> {
  const [known] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT seq FROM search_progress WHERE practice_id = ${practiceId} FOR UPDATE SKIP LOCKED`;
  if (known) return known.seq;
  const [begun] = await tx.$queryRaw<{ seq: bigint }[]>`
    INSERT INTO search_progress (practice_id, seq) VALUES (${practiceId}, 0) ON CONFLICT DO NOTHING RETURNING seq`;
  return begun?.seq;
}

export async function saveSearchProgress(tx: Tx, practiceId: string, seq: bigint): Promise<void> {
  await tx.$executeRaw`UPDATE search_progress SET seq = ${seq} WHERE practice_id = ${practiceId}`;
}

/** The next entries of the audit log: how many, the last one's number, and the cases of which they tell something to search by. */
export async function readChangedCases(
  tx: Tx,
  practiceId: string,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<{ readonly entries: number; readonly seq: bigint; readonly taskIds: readonly string[] } | undefined> {
  const [row] = await tx.$queryRaw<[{ entries: number; seq: bigint | null; task_ids: string[] | null }]>`
    WITH entry AS (SELECT seq, task_id, act FROM audit_entry WHERE chain = ${practiceId} AND seq > ${after} ORDER BY seq LIMIT ${limit})
    SELECT count(*)::int AS entries, max(seq) AS seq, array_agg(DISTINCT task_id::text) FILTER (
             WHERE task_id IS NOT NULL AND act NOT LIKE 'case.%' AND act <> ALL (${[...untelling]}::text[])) AS task_ids
      FROM entry`;
  return row.seq === null ? undefined : { entries: row.entries, seq: row.seq, taskIds: row.task_ids ?? [] };
}

type Row = {
  id: string;
  revision: number;
  service_review: Uint8Array;
  determinations: { id: string; document: string }[];
};

/** Makes the tokens of these cases anew from what is stored of them. */
export async function indexCases(tx: Tx, practiceId: string, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  await keysOf(tx)?.ready([practiceId]);
  const rows = await tx.$queryRaw<Row[]>`
    SELECT t.id, t.revision, r.service_review,
           coalesce((SELECT json_agg(json_build_object('id', d.id, 'document', encode(d.document, 'base64')))
                       FROM determination d WHERE d.task_id = t.id), '[]') AS determinations
      FROM task t JOIN revision r ON r.task_id = t.id AND r.number = t.revision
     WHERE t.id = ANY (${[...taskIds]}::uuid[]) AND t.practice_id = ${practiceId}`;
  const found = rows.flatMap((row) => tokensOf(tx, row, practiceId).map((token) => ({ taskId: row.id, token })));
  await tx.$executeRaw`
    WITH found AS (SELECT * FROM unnest(${found.map(({ taskId }) => taskId)}::uuid[], ${found.map(({ token }) => token)}::bytea[]) AS f (task_id, token)),
    gone AS (
      DELETE FROM case_token c WHERE c.practice_id = ${practiceId} AND c.task_id = ANY (${rows.map(({ id }) => id)}::uuid[])
         AND NOT EXISTS (SELECT FROM found f WHERE f.task_id = c.task_id AND f.token = c.token))
    INSERT INTO case_token (practice_id, token, task_id) SELECT ${practiceId}, token, task_id FROM found ON CONFLICT DO NOTHING`;
}

function tokensOf(tx: Tx, { id, revision, service_review: sealed, determinations }: Row, practiceId: string) {
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  const review = JSON.parse(
    openText(tx, "revision.service_review", { row: `${id}/${revision}`, practiceId }, sealed),
  ) as ServiceReview;
  const decided = determinations.map((one) =>
    openDetermination(tx, Buffer.from(one.document, "base64"), { id: one.id, practiceId }),
  );
  return termsOfCase(review, decided).map((term) => caseToken(tx, term, practiceId));
}
