import { actorName, type PersonActor } from "#lib/access/model/actor";
import { auditDetail, type ReadingAct } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";
import { inPracticeShare, lockingChain } from "#lib/db/practice-share";

type Reading = {
  readonly actor: PersonActor;
  readonly taskId: string;
  readonly practiceId: string;
  /** What of the case was read; the record names it once a day for each person. */
  readonly part: string;
  readonly act: ReadingAct;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Records that a person read something sensitive, on its first reading of the day; later ones write nothing. */
export async function recordReading(
  store: Store,
  { actor, taskId, practiceId, part, act, detail }: Reading,
): Promise<void> {
  const query = {
    name: "record-reading",
    text: `
      WITH today AS (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
      first AS (
        INSERT INTO reading AS r (person_id, task_id, part, practice_id, day)
        SELECT $1::uuid, $2::uuid, $3::text, $4::text, day FROM today
         WHERE NOT EXISTS (SELECT FROM reading WHERE person_id = $1::uuid AND task_id = $2::uuid AND part = $3 AND day >= today.day)
        ON CONFLICT (person_id, task_id, part) DO UPDATE SET day = excluded.day WHERE r.day < excluded.day
        RETURNING 1)
      SELECT audit_append($4::text, $5, $6, $2::uuid, $7) FROM first`,
    values: [actor.id, taskId, part, practiceId, actorName(actor), act, auditDetail(detail)],
  };
  await inPracticeShare(store, practiceId, () => lockingChain(store, practiceId, () => store.pool.query(query)));
}

type ListReading = {
  readonly actor: PersonActor;
  readonly cases: readonly { readonly taskId: string; readonly practiceId: string }[];
};

/**
 * Records that a person was shown what these cases ask for on a page that is not theirs: each once a day, in the order
 * of the chains, so that two pages never wait for each other in a ring.
 */
export async function recordListed(store: Store, { actor, cases }: ListReading): Promise<void> {
  if (cases.length === 0) return;
  await store.pool.query({
    name: "record-listed",
    text: `
      WITH today AS (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
      first AS (
        INSERT INTO reading AS r (person_id, task_id, part, practice_id, day)
        SELECT $1::uuid, given.task_id, 'listed', given.practice_id, day
          FROM today, unnest($2::uuid[], $3::text[]) AS given (task_id, practice_id)
         WHERE NOT EXISTS (SELECT FROM reading seen WHERE seen.person_id = $1::uuid AND seen.task_id = given.task_id
                              AND seen.part = 'listed' AND seen.day >= today.day)
         ORDER BY given.task_id
        ON CONFLICT (person_id, task_id, part) DO UPDATE SET day = excluded.day WHERE r.day < excluded.day
        RETURNING r.practice_id, r.task_id)
      SELECT audit_append(practice_id, $4, 'case.listed', task_id, '{}')
        FROM (SELECT practice_id, task_id FROM first ORDER BY practice_id, task_id OFFSET 0) sorted`,
    values: [actor.id, cases.map(({ taskId }) => taskId), cases.map(({ practiceId }) => practiceId), actorName(actor)],
  });
}

type FileReading = {
  readonly gateId: string;
  readonly digest: string;
  readonly practiceId: string;
  readonly personId: string;
};

/** Keeps that an open gate was shown to this person; the first time counts. */
export async function recordGateOpened(
  store: Store,
  { gateId, digest, practiceId, personId }: FileReading,
): Promise<void> {
  await store.pool.query({
    name: "record-gate-opened",
    text: `INSERT INTO gate_opened (gate_id, person_id, practice_id, digest, at)
           SELECT $1::uuid, $2::uuid, $3, $4, clock_timestamp()
            WHERE NOT EXISTS (SELECT FROM gate_opened WHERE gate_id = $1::uuid AND person_id = $2::uuid)
           ON CONFLICT DO NOTHING`,
    values: [gateId, personId, practiceId, digest],
  });
}
