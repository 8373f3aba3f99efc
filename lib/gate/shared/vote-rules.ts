import { knownWord } from "#lib/platform/known-word";
import { risks, actions, type VoteRule } from "#lib/task/model/vote-rule";
import type { Store, Tx } from "#lib/db/db";

/** The practice's own vote rules. Where it has none, one release is enough. */
export async function loadVoteRules(db: Store | Tx, practiceId: string): Promise<readonly VoteRule[]> {
  const client = "prisma" in db ? db.prisma : db;
  const rows = await client.voteRule.findMany({ where: { practiceId } });
  return rows.map(({ action, risk, votes, stepUp }) => ({
    action: knownWord(actions, action, "vote_rule.action"),
    risk: knownWord(risks, risk, "vote_rule.risk"),
    votes,
    stepUp,
  }));
}

export async function saveVoteRule(tx: Tx, practiceId: string, rule: VoteRule): Promise<void> {
  const { action, risk, votes, stepUp } = rule;
  const key = { practiceId, action, risk };
  await tx.voteRule.upsert({
    where: { practiceId_action_risk: key },
    create: { ...key, votes, stepUp },
    update: { votes, stepUp },
  });
}

/**
 * The practices of a channel whose rules would require more releases than there are people left to give them, once this
 * person, who reviews there, owns the channel.
 */
export async function shortOfReleasers(
  tx: Tx,
  { channelId, ownerId }: { readonly channelId: string; readonly ownerId: string },
): Promise<readonly { readonly practiceId: string; readonly votes: number; readonly others: number }[]> {
  return tx.$queryRaw`
    SELECT * FROM (
      SELECT cp.practice_id AS "practiceId",
             (SELECT max(r.votes) FROM vote_rule r WHERE r.practice_id = cp.practice_id) AS votes,
             (SELECT count(*)::int FROM person p JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer'
               WHERE pp.practice_id = cp.practice_id AND p.status = 'active'
                 AND p.id <> ${ownerId}::uuid) AS others
        FROM channel_practice cp
       WHERE cp.channel_id = ${channelId}::uuid AND EXISTS (
         SELECT FROM person p JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer'
          WHERE p.id = ${ownerId}::uuid AND pp.practice_id = cp.practice_id)) asked
     WHERE votes > 1 AND votes > others ORDER BY "practiceId"`;
}

/** An administrator who invited several reviewers of a practice; includes the administrator if they review there. */
export type InvitingAdmin = { readonly name: string; readonly people: number };

/** Administrators who invited more than one reviewer of the practice, the most first. */
export async function loadHands({ pool }: Store, practiceId: string): Promise<readonly InvitingAdmin[]> {
  const { rows } = await pool.query<InvitingAdmin>(
    `WITH reviewer AS (
       SELECT p.id, p.let_in_by FROM person p JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer'
        WHERE pp.practice_id = $1 AND p.status = 'active')
     SELECT a.name, count(*)::int AS people FROM person a JOIN reviewer r ON a.id IN (r.id, r.let_in_by)
      WHERE a.id IN (SELECT let_in_by FROM reviewer) GROUP BY a.id HAVING count(*) > 1 ORDER BY people DESC, a.name`,
    [practiceId],
  );
  return rows;
}

/**
 * How many reviewers of a practice could release what any one channel requests: one fewer if one of them owns a channel
 * that reaches it.
 */
export async function countReleasers(tx: Tx, practiceId: string): Promise<number> {
  const [row] = await tx.$queryRaw<[{ people: number; owns: boolean }]>`
    WITH reviewer AS (
      SELECT p.id FROM person p JOIN person_role pp ON pp.person_id = p.id AND pp.role = 'reviewer'
       WHERE pp.practice_id = ${practiceId} AND p.status = 'active')
    SELECT (SELECT count(*)::int FROM reviewer) AS people,
           EXISTS (SELECT FROM channel c JOIN channel_practice cp ON cp.channel_id = c.id
                    WHERE cp.practice_id = ${practiceId} AND c.owner_id IN (SELECT id FROM reviewer)) AS owns`;
  return row.people - (row.owns ? 1 : 0);
}
