import { query, type Tx } from "#lib/db/db";
import { lockedByOne } from "#lib/db/shared-transaction";
import { forMany } from "#lib/db/statement";
import { arrayText } from "#lib/db/tenant-scope";
import { keysOf } from "#lib/db/practice-keys";
import { openText } from "#lib/db/sealed";
import { type Determination, numbersOf } from "#lib/task/model/determination";
import type { ServiceReview } from "#lib/task/model/service-review";
import { caseToken } from "#lib/task/shared/case-token";
import { routePayer } from "#lib/task/shared/route-payer";
import { openDetermination, type TaskRow } from "./task-rows.ts";

/** A case with an authorization in force, and what it was asked for. */
type NumberedCase = {
  readonly taskId: string;
  readonly numbers: readonly string[];
  readonly review: ServiceReview;
};

type Row = { id: string; revision: number; determination_id: string; document: Uint8Array; service_review: Uint8Array };

type Case = Pick<TaskRow, "id" | "practice_id" | "payer_id" | "route_payer_id" | "environment">;

/** Most cases under one number that are compared. */
const casesMax = 20;

const numbered = `
  WITH RECURSIVE named AS (
    SELECT DISTINCT c.task_id FROM case_token c
     WHERE c.practice_id = $1 AND c.token = ANY ($2::bytea[]) AND c.task_id <> $3::uuid
       AND NOT EXISTS (SELECT FROM case_token o WHERE o.practice_id = $1 AND o.token = c.token AND o.task_id = $3::uuid)),
  found AS (
    SELECT t.id, coalesce(d.revision, t.revision) AS revision, d.id AS determination_id, d.document
      FROM named n JOIN task t ON t.id = n.task_id JOIN determination d ON d.id = t.determination_id
     WHERE t.practice_id = $1 AND t.voided IS NULL AND d.environment = $4 AND ${routePayer("t")} = $5
       AND d.outcome IN ('approved', 'modified', 'partially-approved')
     ORDER BY t.id LIMIT ${casesMax}),
  line AS (
    SELECT t.id AS start, t.id, t.earlier_task_id FROM task t
     WHERE t.practice_id = $1 AND (t.id = $3::uuid OR t.id IN (SELECT f.id FROM found f))
    UNION
    SELECT l.start, e.id, e.earlier_task_id FROM line l JOIN task e ON e.id = l.earlier_task_id AND e.practice_id = $1)
  SELECT f.id, f.revision, f.determination_id, f.document, r.service_review
    FROM found f JOIN revision r ON r.task_id = f.id AND r.number = f.revision
   WHERE NOT EXISTS (SELECT FROM line a JOIN line b ON b.id = a.id WHERE a.start = f.id AND b.start = $3::uuid)`;

const lockText = "SELECT pg_advisory_xact_lock(n::bigint)::text FROM unnest($1::text[]) AS l (n)";

const manyLocks = forMany("lock-numbers", lockText, { types: ["text"], rows: "any" });
const manyNumbered = forMany("numbered-cases", numbered, {
  types: ["text", "text", "uuid", "text", "text"],
  rows: casesMax,
});

/** What a case is found by under the numbers of a determination. */
export function numberTokens(tx: Tx, { practice_id: practiceId }: Pick<Case, "practice_id">, decided: Determination) {
  return tokensOf(tx, numbersOf(decided), practiceId);
}

/**
 * The other cases of the practice and the payer connection that an authorization in force has one of these numbers on.
 * Left out are cases linked to this one as renewals or extensions, and numbers that this case had before. Two answers
 * under one number wait for each other, so that the second sees the first.
 */
export async function loadNumberedCases(
  tx: Tx,
  { id, practice_id: practiceId, payer_id, route_payer_id, environment }: Case,
  numbers: readonly string[],
): Promise<readonly NumberedCase[]> {
  const tokens = tokensOf(tx, numbers, practiceId);
  const locks = tokens.map((token) => String(Buffer.from(token).readBigInt64BE())).toSorted();
  lockedByOne(tx, locks);
  const hex = tokens.map((token) => `\\x${Buffer.from(token).toString("hex")}`);
  const values = [practiceId, arrayText(hex), id, environment, route_payer_id ?? payer_id];
  const finding = { name: "numbered-cases", text: numbered, values, many: manyNumbered };
  // Together in one round trip, one after the other: the second sees what was committed before the lock was free.
  const locking = query(tx, { name: "lock-numbers", text: lockText, values: [arrayText(locks)], many: manyLocks });
  const [, rows] = await Promise.all([locking, query<Row>(tx, finding)]);
  await keysOf(tx)?.ready([practiceId]);
  return rows.map((row) => rowToCase(tx, practiceId, row));
}

function tokensOf(tx: Tx, numbers: readonly string[], practiceId: string) {
  return numbers.map((text) => caseToken(tx, { kind: "authorization", text }, practiceId));
}

function rowToCase(tx: Tx, practiceId: string, row: Row): NumberedCase {
  const determination = openDetermination(tx, row.document, { id: row.determination_id, practiceId });
  const of = { row: `${row.id}/${row.revision}`, practiceId };
  return {
    taskId: row.id,
    numbers: numbersOf(determination),
    // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
    review: JSON.parse(openText(tx, "revision.service_review", of, row.service_review)) as ServiceReview,
  };
}
