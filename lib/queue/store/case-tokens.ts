import type { Store, Tx } from "#lib/db/db";
import { keysOf } from "#lib/db/practice-keys";
import { openText } from "#lib/db/sealed";
import { Prisma } from "#lib/db/generated/prisma/client";
import { type SearchTerm, termsOfCase } from "#lib/queue/model/search-terms";
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

/** How far the audit log of a practice was followed. */
export type SearchProgress = { readonly practiceId: string; readonly seq: bigint };

/** How far these practices' audit logs were followed, held until the commit; without those that another worker holds. */
export async function lockSearchProgress(tx: Tx, practices: readonly string[]): Promise<readonly SearchProgress[]> {
  const known = await tx.$queryRaw<SearchProgress[]>`
    SELECT practice_id AS "practiceId", seq FROM search_progress WHERE practice_id = ANY (${[...practices]}::text[])
     ORDER BY practice_id FOR UPDATE SKIP LOCKED`;
  if (known.length === practices.length) return known;
  const begun = await tx.$queryRaw<SearchProgress[]>`
    INSERT INTO search_progress (practice_id, seq) SELECT id, 0 FROM unnest(${[...practices]}::text[]) AS p (id) ORDER BY id
    ON CONFLICT DO NOTHING RETURNING practice_id AS "practiceId", seq`;
  return [...known, ...begun];
}

export async function saveSearchProgress(tx: Tx, progress: readonly SearchProgress[]): Promise<void> {
  const [practices, seqs] = listsOf(progress);
  await tx.$executeRaw`
    UPDATE search_progress s SET seq = p.seq::bigint
      FROM unnest(${practices}::text[], ${seqs}::text[]) AS p (practice_id, seq) WHERE s.practice_id = p.practice_id`;
}

function listsOf(progress: readonly SearchProgress[]): [practices: string[], seqs: string[]] {
  return [progress.map(({ practiceId }) => practiceId), progress.map(({ seq }) => String(seq))];
}

/** What was read of a practice's audit log: how many entries, the last one's number, and the cases of which they tell something to search by. */
export type ReadEntries = SearchProgress & { readonly entries: number; readonly taskIds: readonly string[] };

/** The next entries of each of these audit logs, at most so many of each; nothing of one without new entries. */
export async function readChangedCases(
  tx: Tx,
  after: readonly SearchProgress[],
  limit: number,
): Promise<readonly ReadEntries[]> {
  if (after.length === 0) return [];
  const [practices, seqs] = listsOf(after);
  return tx.$queryRaw<ReadEntries[]>`
    SELECT p.practice_id AS "practiceId", read.entries, read.seq, coalesce(read.task_ids, '{}') AS "taskIds"
      FROM unnest(${practices}::text[], ${seqs}::text[]) AS p (practice_id, seq)
     CROSS JOIN LATERAL (
        SELECT count(*)::int AS entries, max(seq) AS seq, array_agg(DISTINCT task_id::text) FILTER (
                 WHERE task_id IS NOT NULL AND act NOT LIKE 'case.%' AND act <> ALL (${[...untelling]}::text[])) AS task_ids
          FROM (SELECT seq, task_id, act FROM audit_entry WHERE chain = p.practice_id AND seq > p.seq::bigint
                 ORDER BY seq LIMIT ${limit}) entry) read
     WHERE read.seq IS NOT NULL`;
}

type Row = {
  id: string;
  practice_id: string;
  revision: number;
  service_review: Uint8Array;
  earlier: { number: number; service_review: string }[];
  determinations: { id: string; document: string }[];
};

/**
 * Makes the tokens of these practices' cases anew from what is stored of them. What a case is no longer found by is what its
 * earlier revisions say and its last does not, so the tokens need no index by case. Nobody else writes what a revision says,
 * while the practices' progress is held; an authorization number is also written with its determination.
 */
export async function indexCases(
  tx: Tx,
  changed: readonly Pick<ReadEntries, "practiceId" | "taskIds">[],
): Promise<void> {
  const cases = changed.flatMap(({ practiceId, taskIds }) => taskIds.map((taskId) => ({ practiceId, taskId })));
  if (cases.length === 0) return;
  const practices = changed.map(({ practiceId }) => practiceId);
  await keysOf(tx)?.ready(practices);
  const rows = await tx.$queryRaw<Row[]>`
    SELECT t.id, t.practice_id, t.revision, r.service_review,
           coalesce((SELECT json_agg(json_build_object('number', e.number, 'service_review', encode(e.service_review, 'base64')))
                       FROM revision e WHERE e.task_id = t.id AND e.number < t.revision), '[]') AS earlier,
           coalesce((SELECT json_agg(json_build_object('id', d.id, 'document', encode(d.document, 'base64')))
                       FROM determination d WHERE d.task_id = t.id), '[]') AS determinations
      FROM unnest(${cases.map(({ taskId }) => taskId)}::uuid[], ${cases.map(({ practiceId }) => practiceId)}::text[]) AS c (task_id, practice_id)
      JOIN task t ON t.id = c.task_id AND t.practice_id = c.practice_id
      JOIN revision r ON r.task_id = t.id AND r.number = t.revision`;
  const found = rows.flatMap((row) => foundBy(tx, row));
  const [gone, reviewed, numbered] = [
    rows.flatMap((row) => goneFrom(tx, row)),
    found.filter(isOfReview),
    found.filter(isNumber),
  ];
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM case_token c USING ${listed(gone)} AS g (practice_id, task_id, token)
       WHERE c.practice_id = g.practice_id AND c.token = g.token AND c.task_id = g.task_id),
    numbered AS (
      INSERT INTO case_token (practice_id, task_id, token) SELECT * FROM ${listed(numbered)} AS n ON CONFLICT DO NOTHING)
    INSERT INTO case_token (practice_id, task_id, token)
    SELECT r.* FROM ${listed(reviewed)} AS r (practice_id, task_id, token)
     WHERE NOT EXISTS (SELECT FROM case_token c
                        WHERE c.practice_id = r.practice_id AND c.token = r.token AND c.task_id = r.task_id)`;
}

type Token = { readonly row: Row; readonly kind: SearchTerm["kind"]; readonly token: Uint8Array<ArrayBuffer> };

const isNumber = ({ kind }: Token) => kind === "authorization";
const isOfReview = (token: Token) => !isNumber(token);

function listed(tokens: readonly Token[]): Prisma.Sql {
  return Prisma.sql`unnest(${tokens.map(({ row }) => row.practice_id)}::text[], ${tokens.map(({ row }) => row.id)}::uuid[],
                           ${tokens.map(({ token }) => token)}::bytea[])`;
}

function foundBy(tx: Tx, row: Row): readonly Token[] {
  const { practice_id: practiceId, revision, service_review: sealed, determinations } = row;
  const decided = determinations.map((one) =>
    openDetermination(tx, Buffer.from(one.document, "base64"), { id: one.id, practiceId }),
  );
  return tokensOf(tx, row, termsOfCase(openReview(tx, row, { number: revision, sealed }), decided));
}

/** What its earlier revisions say and its last does not. */
function goneFrom(tx: Tx, row: Row): readonly Token[] {
  if (row.earlier.length === 0) return [];
  const now = new Set(foundBy(tx, row).map(({ token }) => keyOf(token)));
  const before = row.earlier.flatMap(({ number, service_review: sealed }) =>
    tokensOf(tx, row, termsOfCase(openReview(tx, row, { number, sealed: Buffer.from(sealed, "base64") }), [])),
  );
  return before.filter(({ token }) => !now.has(keyOf(token)));
}

const keyOf = (token: Uint8Array) => Buffer.from(token).toString("base64");

function tokensOf(tx: Tx, row: Row, terms: readonly SearchTerm[]): readonly Token[] {
  return terms.map((term) => ({ row, kind: term.kind, token: caseToken(tx, term, row.practice_id) }));
}

function openReview(
  tx: Tx,
  { id, practice_id: practiceId }: Row,
  { number, sealed }: { readonly number: number; readonly sealed: Uint8Array },
): ServiceReview {
  const text = openText(tx, "revision.service_review", { row: `${id}/${number}`, practiceId }, sealed);
  // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
  return JSON.parse(text) as ServiceReview;
}
