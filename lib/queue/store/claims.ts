import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/task/store/load-task";

/** How long a claim lasts after it was last used. */
const claimMinutes = 10;

/** Who has claimed a case, and until when. */
export type Claim = {
  readonly taskId: string;
  readonly personId: string;
  readonly name: string;
  readonly since: Date;
  readonly until: Date;
  /** Whom it was taken over from. */
  readonly takenFrom: string | undefined;
};

/** A case, the practices its reader reviews for, and the reader. */
export type ClaimQuery = { readonly taskId: string; readonly practices: readonly string[]; readonly personId: string };

export type ClaimResult = { readonly practiceId: string; readonly until: Date; readonly takenFrom: string | undefined };

/**
 * Claims a case that nobody has, whose claim has run out, or that `from` has. One statement decides. Undefined if
 * somebody has it, including the reader, or if these practices have no such case.
 */
export async function takeClaim(
  tx: Tx,
  { taskId, practices, personId, from }: ClaimQuery & { readonly from: string | undefined },
): Promise<ClaimResult | undefined> {
  if (!isUuid(taskId)) return undefined;
  const [taken] = await tx.$queryRaw<{ practice_id: string; until: Date; taken_from: string | null }[]>`
    INSERT INTO claim AS c (task_id, practice_id, person_id, since, until)
    SELECT t.id, t.practice_id, ${personId}::uuid, now.at, now.at + make_interval(mins => ${claimMinutes}::int)
      FROM task t, (SELECT clock_timestamp() AS at) now
     WHERE t.id = ${taskId}::uuid AND t.practice_id = ANY (${[...practices]}::text[])
    ON CONFLICT (task_id) DO UPDATE
      SET person_id = excluded.person_id, since = excluded.since, until = excluded.until,
          taken_from = CASE WHEN c.until > excluded.since THEN c.person_id END
      WHERE c.until <= excluded.since OR (c.person_id::text = ${from ?? ""} AND c.person_id <> excluded.person_id)
    RETURNING practice_id, until, taken_from`;
  return taken && { practiceId: taken.practice_id, until: taken.until, takenFrom: taken.taken_from ?? undefined };
}

/** Gives up one's own claim. Undefined if there is none. */
export async function dropClaim(
  tx: Tx,
  { taskId, practices, personId }: ClaimQuery,
): Promise<{ practiceId: string } | undefined> {
  if (!isUuid(taskId)) return undefined;
  const [dropped] = await tx.$queryRaw<{ practice_id: string }[]>`
    UPDATE claim SET until = greatest(since, clock_timestamp())
     WHERE task_id = ${taskId}::uuid AND practice_id = ANY (${[...practices]}::text[])
       AND person_id = ${personId}::uuid AND until > clock_timestamp()
    RETURNING practice_id`;
  return dropped && { practiceId: dropped.practice_id };
}

/**
 * Extends one's own claim, because it is used. Written at most once a minute, and not after nothing waits for a person
 * any more.
 */
export async function renewClaim(store: Store, { taskId, practices, personId }: ClaimQuery): Promise<void> {
  await store.pool.query({
    name: "renew-claim",
    text: `
      UPDATE claim SET until = clock_timestamp() + make_interval(mins => $4::int)
       WHERE task_id = $1::uuid AND practice_id = ANY ($2::text[]) AND person_id = $3::uuid
         AND until > clock_timestamp() AND until < clock_timestamp() + make_interval(mins => $4::int - 1)
         AND EXISTS (SELECT FROM task WHERE id = $1::uuid AND (stage NOT IN ('idle', 'ended') OR attention IS NOT NULL))`,
    values: [taskId, practices, personId, claimMinutes],
  });
}

/** SQL: whether the claim `c` has not run out. */
export const claimStands = "c.until > clock_timestamp()";

/** The current claims on these cases, in these practices. */
export async function loadClaims(
  db: Store | Tx,
  { taskIds, practices }: { readonly taskIds: readonly string[]; readonly practices: readonly string[] },
): Promise<readonly Claim[]> {
  const text = `
    SELECT c.task_id, c.person_id, p.name, c.since, c.until, c.taken_from
      FROM claim c JOIN person p ON p.id = c.person_id
     WHERE c.task_id = ANY ($1::uuid[]) AND c.practice_id = ANY ($2::text[]) AND ${claimStands}`;
  const values = [taskIds.filter(isUuid), [...practices]];
  const rows =
    "pool" in db
      ? (await db.pool.query<ClaimRow>({ name: "load-claims", text, values })).rows
      : await db.$queryRawUnsafe<ClaimRow[]>(text, ...values);
  return rows.map(({ task_id: taskId, person_id: personId, taken_from: takenFrom, ...row }) => ({
    ...row,
    taskId,
    personId,
    takenFrom: takenFrom ?? undefined,
  }));
}

type ClaimRow = {
  task_id: string;
  person_id: string;
  name: string;
  since: Date;
  until: Date;
  taken_from: string | null;
};
