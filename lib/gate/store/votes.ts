import type { Ballot } from "#lib/task/model/vote-rule";
import type { Vote } from "#lib/task/model/lifecycle/projections";
import { assert } from "#lib/platform/result";
import { isOwnerless, ownersOf } from "#lib/task/shared/case-owners";
import type { Store, Tx } from "#lib/db/db";
import { sealText } from "#lib/db/sealed";

type Gate = { readonly gateId: string; readonly taskId: string; readonly practiceId: string };

/** The votes so far, and what the practice requires of a reviewer who votes. */
export type GateBallot = {
  readonly ballot: Ballot;
  readonly stepUp: boolean;
  /** A channel that requested something has no owner. */
  readonly ownerless: boolean;
  /** The person is an active reviewer of the practice at this moment. */
  readonly mayReview: boolean;
};

/** SQL: every channel that requested something for the task `$2`. */
const askers = `SELECT c.id FROM channel c
  WHERE c.id = (SELECT channel_id FROM task WHERE id = $2::uuid)
     OR c.id IN (SELECT channel_id FROM message WHERE task_id = $2::uuid)`;

const owners = `ARRAY(SELECT answering.owner_id::text FROM (${ownersOf("$2::uuid")}) answering) AS owners`;

/** SQL: whether the person `p` may review in the practice `$3` now. The function `release_standing` has the same rule. */
const mayReview = `p.status = 'active'
  AND EXISTS (SELECT FROM person_role pp WHERE pp.person_id = p.id AND pp.role = 'reviewer' AND pp.practice_id = $3)`;

const rule = `FROM gate g LEFT JOIN vote_rule r
    ON r.practice_id = g.practice_id AND r.action = g.action AND r.risk = g.risk
 WHERE g.id = $1::uuid AND g.task_id = $2::uuid AND g.practice_id = $3`;

/**
 * Reads who may release at a gate and who has, and locks those rights until the commit. Whoever is deactivated, loses
 * the practice or comes to own the channel does so before this release or after it.
 */
export async function lockBallot(tx: Tx, gate: Gate, personId: string): Promise<GateBallot> {
  const { gateId, taskId, practiceId } = gate;
  await tx.$queryRawUnsafe(
    `SELECT id FROM channel WHERE id IN (SELECT id FROM (${askers}) asked) AND $1::uuid IS NOT NULL ORDER BY id FOR SHARE`,
    gateId,
    taskId,
  );
  await tx.$queryRawUnsafe(
    `SELECT id FROM person WHERE id = $2::uuid OR id IN (SELECT person_id FROM vote WHERE gate_id = $1::uuid)
      ORDER BY id FOR SHARE`,
    gateId,
    personId,
  );
  const [row] = await tx.$queryRawUnsafe<
    {
      needed: number;
      step_up: boolean;
      given: string[];
      owners: string[];
      ownerless: boolean;
      may_review: boolean;
    }[]
  >(
    `SELECT coalesce(r.votes, 1) AS needed, coalesce(r.step_up, false) AS step_up,
            ${owners}, ${isOwnerless("$2::uuid")} AS ownerless,
            ARRAY(SELECT v.person_id::text FROM vote v JOIN person p ON p.id = v.person_id
                   WHERE v.gate_id = g.id AND v.answer = 'release' AND ${mayReview}) AS given,
            EXISTS (SELECT FROM person p WHERE p.id = $4::uuid AND ${mayReview}) AS may_review ${rule}`,
    gateId,
    taskId,
    practiceId,
    personId,
  );
  assert(row, "a task's gate exists");
  const { needed, step_up: stepUp, given, ownerless, may_review } = row;
  const counted = given.filter((id) => !row.owners.includes(id));
  const ballot = { by: personId, needed, given: counted, owners: row.owners };
  return { ballot, stepUp, ownerless, mayReview: may_review };
}

/** A release given at a gate. It counts while the person may still release. */
export type ReleaseVote = {
  readonly personId: string;
  readonly name: string;
  readonly at: Date;
  readonly counts: boolean;
  readonly letInBy?: Inviter;
};

/** The admin who last invited somebody. Undefined if it was the operator. */
export type Inviter = { readonly id: string; readonly name: string } | undefined;

const letInBy = "(SELECT jsonb_build_object('id', a.id, 'name', a.name) FROM person a WHERE a.id = p.let_in_by)";

type KnownVoting = {
  readonly needed: number;
  readonly stepUp: boolean;
  readonly owners: readonly string[];
  /** A channel that requested something has no owner, so nothing can be released. */
  readonly ownerless: boolean;
  /** How many people could release it. */
  readonly releasers: number;
  readonly given: readonly ReleaseVote[];
  readonly readerLetInBy: Inviter;
};

/** Whether requests of a channel without an owner can no longer be released. */
export function ownerNeeded({ ownersFrom }: Pick<Store, "ownersFrom">, now: Date): boolean {
  return ownersFrom !== undefined && now >= ownersFrom;
}

/** How many releases a gate needs and who has given one, the earliest first, as this person sees it. */
export async function loadVoting(
  store: Store,
  { gateId, taskId, practiceId }: Gate,
  readerId: string,
): Promise<KnownVoting> {
  const { rows } = await store.pool.query<{
    needed: number;
    step_up: boolean;
    owners: string[];
    ownerless: boolean;
    now: Date;
    releasers: number;
    given: { personId: string; name: string; at: string; counts: boolean; letInBy: Inviter | null }[];
    reader_let_in_by: Inviter | null;
  }>({
    name: "load-voting",
    text: `
      SELECT coalesce(r.votes, 1) AS needed, coalesce(r.step_up, false) AS step_up,
             ${owners}, ${isOwnerless("$2::uuid")} AS ownerless, clock_timestamp() AS now,
             (SELECT count(*)::int FROM person p WHERE ${mayReview}
                 AND p.id NOT IN (SELECT answering.owner_id FROM (${ownersOf("$2::uuid")}) answering)
                 AND NOT (coalesce(r.votes, 1) > 1 AND g.action = 'transmit' AND EXISTS (
                   SELECT FROM task t WHERE t.id = $2::uuid AND p.id = ANY (t.edited_by)))) AS releasers,
             coalesce((SELECT jsonb_agg(jsonb_build_object('personId', p.id, 'name', p.name, 'at', v.at,
                                                           'counts', ${mayReview},
                                                           'letInBy', ${letInBy}) ORDER BY v.at)
                         FROM vote v JOIN person p ON p.id = v.person_id
                        WHERE v.gate_id = g.id AND v.answer = 'release'), '[]') AS given,
             (SELECT ${letInBy} FROM person p WHERE p.id = $4::uuid) AS reader_let_in_by ${rule}`,
    values: [gateId, taskId, practiceId, readerId],
  });
  const row = rows[0];
  assert(row, "a task's gate exists");
  const { needed, step_up: stepUp, releasers, reader_let_in_by: reader } = row;
  const ownerless = row.ownerless && ownerNeeded(store, row.now);
  const given = row.given.map(({ at, counts, letInBy, ...person }) => ({
    ...person,
    letInBy: letInBy ?? undefined,
    at: new Date(at),
    counts: counts && !row.owners.includes(person.personId),
  }));
  const readerLetInBy = reader ?? undefined;
  return { needed, stepUp, owners: row.owners, ownerless, releasers, given, readerLetInBy };
}

/** Keeps a vote, or takes it back. Call it behind the change of its task: who votes there at once waits, so no two insert it. */
export async function saveVote(tx: Tx, practiceId: string, { answer, over, ...vote }: Vote, at: Date): Promise<void> {
  if (answer === "none") {
    await tx.vote.deleteMany({ where: { ...vote, practiceId } });
    return;
  }
  const { gateId, personId } = vote;
  const warnings = over ? [...over.warnings] : null;
  const reason = over ? sealText(tx, "vote.reason", voteRow({ ...vote, practiceId }), over.reason) : null;
  await tx.$executeRaw`
    WITH again AS (
      UPDATE vote SET answer = ${answer}, at = ${at}, warnings = coalesce(${warnings}::text[], warnings),
             reason = coalesce(${reason}::bytea, reason)
       WHERE gate_id = ${gateId}::uuid AND person_id = ${personId}::uuid RETURNING gate_id)
    INSERT INTO vote (gate_id, person_id, practice_id, answer, warnings, reason, at)
    SELECT ${gateId}::uuid, ${personId}::uuid, ${practiceId}, ${answer}, coalesce(${warnings}::text[], '{}'), ${reason}::bytea, ${at}::timestamptz
     WHERE NOT EXISTS (SELECT FROM again)`;
}

/** The row that a vote's reason is sealed for. */
export function voteRow({ gateId, personId, practiceId }: { gateId: string; personId: string; practiceId: string }) {
  return { row: `${gateId}/${personId}`, practiceId };
}

/** Whether this person's release was given at the gate. */
export async function hasReleased(tx: Tx, vote: { gateId: string; personId: string }): Promise<boolean> {
  return (await tx.vote.count({ where: { ...vote, answer: "release" } })) > 0;
}
