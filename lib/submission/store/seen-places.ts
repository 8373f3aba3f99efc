import { detailJson } from "#lib/audit/model/entry";
import type { ChainHead } from "#lib/audit/shared/chain-heads";
import { coalesced } from "#lib/db/coalesce";
import type { Store } from "#lib/db/db";
import { acrossPractices, forPractices } from "#lib/db/for-practices";
import { forMany } from "#lib/db/statement";

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

type Start = {
  readonly practiceId: string;
  readonly taskId: string;
  readonly gateId: string;
  readonly attempt: number;
};

const startText = `
  SELECT seq::int AS seq, hash FROM audit_entry
   WHERE task_id = $2::uuid AND chain = $1 AND act = 'transmission.started'
     AND ${detailJson("detail")} ->> 'gateId' = $3 AND ${detailJson("detail")} ->> 'attempt' = $4::text
   ORDER BY seq DESC LIMIT 1`;
const manyStarts = forMany("find-start", startText, { types: ["text", "uuid", "text", "text"] });

/** The audit entry that records the start of this attempt, as committed. Undefined if the database has none. */
export const findStart = coalesced(findStarts);

async function findStarts(
  store: Store,
  starts: readonly Start[],
): Promise<readonly ({ readonly seq: number; readonly hash: string } | undefined)[]> {
  const each = starts.map((start) => [start.practiceId, start.taskId, start.gateId, String(start.attempt)]);
  const [only = [], ...others] = each;
  const asOne = { name: "find-start", text: startText, values: only };
  const { name, text, takes } = manyStarts;
  const lists = Array.from({ length: takes }, (_, place) => each.map((values) => values[place]));
  const { pool } = forPractices(store, [...new Set(starts.map(({ practiceId }) => practiceId))]);
  const { rows } = await pool.query<{ ask_n?: number; seq: number; hash: string }>(
    others.length === 0 ? asOne : { name, text, values: [...lists, starts.map(({ practiceId }) => practiceId)] },
  );
  const found = new Map(rows.map(({ ask_n: n = 1, seq, hash }) => [n, { seq, hash }]));
  return starts.map((_, index) => found.get(index + 1));
}

/** Makes a ledger known to the database. */
export async function knowLedger(store: Store, id: string): Promise<void> {
  await store.pool.query("INSERT INTO submission_ledger (id) VALUES ($1::uuid) ON CONFLICT DO NOTHING", [id]);
}

/** Whether any worker has ever kept a ledger of this database. */
export async function hasLedger(store: Store): Promise<boolean> {
  return (await store.prisma.submissionLedger.count()) > 0;
}
