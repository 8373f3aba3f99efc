import { detailJson } from "#lib/audit/model/entry";
import type { ChainHead } from "#lib/audit/shared/chain-heads";
import type { Store } from "#lib/db/db";
import { acrossPractices, forPractices } from "#lib/db/for-practices";

/** The places that the audit log does not contain: the database is an earlier one, or its log is another. */
export async function findLacking<Place extends ChainHead>(
  store: Store,
  places: readonly Place[],
): Promise<readonly Place[]> {
  const lacking: Place[] = [];
  for (let from = 0; from < places.length; from += placesAtOnce)
    lacking.push(...(await lackingOf(store, places.slice(from, from + placesAtOnce))));
  return lacking;
}

/** Just after a restore each is a read from the disk, and a statement has a few seconds. */
const placesAtOnce = 2_000;

async function lackingOf<Place extends ChainHead>(store: Store, places: readonly Place[]): Promise<readonly Place[]> {
  const { rows } = await acrossPractices(store, "audit-chains").pool.query<{ n: number }>({
    name: "find-lacking",
    text: `SELECT seen.n::int AS n FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS seen (chain, seq, hash, n)
            WHERE NOT EXISTS (SELECT FROM audit_entry e WHERE e.chain = seen.chain AND e.seq = seen.seq AND e.hash = seen.hash)`,
    values: [places.map(({ chain }) => chain), places.map(({ seq }) => seq), places.map(({ hash }) => hash)],
  });
  const lacking = new Set(rows.map(({ n }) => n));
  return places.filter((_, index) => lacking.has(index + 1));
}

/** The audit entry that records the start of this attempt, as committed. Undefined if the database has none. */
export async function findStart(
  store: Store,
  { practiceId, taskId, gateId, attempt }: { practiceId: string; taskId: string; gateId: string; attempt: number },
): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
  const { rows } = await forPractices(store, [practiceId]).pool.query<{ seq: number; hash: string }>({
    name: "find-start",
    text: `SELECT seq::int AS seq, hash FROM audit_entry
            WHERE task_id = $2::uuid AND chain = $1 AND act = 'transmission.started'
              AND ${detailJson("detail")} ->> 'gateId' = $3 AND ${detailJson("detail")} ->> 'attempt' = $4::text
            ORDER BY seq DESC LIMIT 1`,
    values: [practiceId, taskId, gateId, String(attempt)],
  });
  return rows[0];
}

/** Makes a ledger known to the database. */
export async function knowLedger(store: Store, id: string): Promise<void> {
  await store.pool.query("INSERT INTO submission_ledger (id) VALUES ($1::uuid) ON CONFLICT DO NOTHING", [id]);
}

/** Whether any worker has ever kept a ledger of this database. */
export async function hasLedger(store: Store): Promise<boolean> {
  return (await store.prisma.submissionLedger.count()) > 0;
}
