import { readingActs } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";

/** The number of the last entry of each practice's chain. */
export type Heads = Readonly<Record<string, number>>;

/** One probe of the primary key for each practice. A practice without entries is at 0. */
export async function readHeads(store: Store, practices: readonly string[]): Promise<Heads> {
  if (practices.length === 0) return {};
  const { rows } = await store.pool.query<{ chain: string; seq: number }>({
    name: "read-heads",
    text: `SELECT chain, coalesce((SELECT seq FROM audit_entry WHERE chain = named.chain ORDER BY seq DESC LIMIT 1), 0)::int AS seq
             FROM unnest($1::text[]) AS named (chain)`,
    values: [practices],
  });
  return Object.fromEntries(rows.map(({ chain, seq }) => [chain, seq]));
}

/** The most entries that are searched for each practice, the latest first. */
const entriesMax = 500;

/** The cases with entries after these numbers. One range of the primary key for each practice. */
export async function casesSince(store: Store, since: Heads): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ task_id: string }>({
    name: "cases-since",
    text: `
      SELECT DISTINCT task_id
        FROM unnest($1::text[], $2::bigint[]) AS named (chain, since)
       CROSS JOIN LATERAL (
         SELECT task_id, act FROM audit_entry
          WHERE chain = named.chain AND seq > named.since ORDER BY seq DESC LIMIT ${entriesMax}) entry
       WHERE task_id IS NOT NULL AND act <> ALL ($3::text[])`,
    values: [Object.keys(since), Object.values(since), readingActs],
  });
  return rows.map((row) => row.task_id);
}

export type LastAct = { readonly act: string; readonly actor: string; readonly name: string | null };

/** The last act on a case after an entry by anybody but this actor, with the person's name if it was a person. */
export async function lastActSince(
  store: Store,
  { taskId, practices, since, actor }: { taskId: string; practices: readonly string[]; since: number; actor: string },
): Promise<LastAct | undefined> {
  const { rows } = await store.pool.query<LastAct>({
    name: "last-act-since",
    text: `
      SELECT entry.act, entry.actor, person.name FROM audit_entry entry
        LEFT JOIN person ON entry.actor = 'person:' || person.id::text
       WHERE entry.task_id = $1::uuid AND entry.chain = ANY ($2::text[]) AND entry.seq > $3 AND entry.actor <> $4
         AND entry.act <> ALL ($5::text[])
       ORDER BY entry.seq DESC LIMIT 1`,
    values: [taskId, practices, since, actor, readingActs],
  });
  return rows[0];
}

export type Waiting = { readonly practice: string; readonly cases: number };

/**
 * How many cases that changed after these entries, without this actor, wait for a person now; by practice name. Acts
 * around a case do not change it, and a gate waits only for somebody who may release at it.
 */
export async function waitingSince(
  store: Store,
  { since, actor }: { since: Heads; actor: string },
): Promise<readonly Waiting[]> {
  const { rows } = await store.pool.query<Waiting>({
    name: "waiting-since",
    text: `
      WITH touched AS (
        SELECT named.chain, task_id
          FROM unnest($1::text[], $2::bigint[]) AS named (chain, since)
         CROSS JOIN LATERAL (
           SELECT task_id, actor, act FROM audit_entry
            WHERE chain = named.chain AND seq > named.since ORDER BY seq DESC LIMIT ${entriesMax}) entry
         WHERE task_id IS NOT NULL GROUP BY named.chain, task_id
        HAVING NOT bool_or(actor = $3) AND bool_or(act NOT LIKE 'case.%'))
      SELECT p.name AS practice, count(*)::int AS cases
        FROM touched JOIN task t ON t.id = touched.task_id JOIN practice p ON p.id = touched.chain
        JOIN channel c ON c.id = t.channel_id
       WHERE t.needs_person IS NOT NULL
          OR (t.state IN ('transmit-held', 'void-held') AND 'person:' || c.owner_id IS DISTINCT FROM $3)
       GROUP BY p.id, p.name ORDER BY p.name`,
    values: [Object.keys(since), Object.values(since), actor],
  });
  return rows;
}
