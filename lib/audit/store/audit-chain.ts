import {
  checkChain,
  type ChainFault,
  type ChainResult,
  type KnownHead,
  type Place,
} from "#lib/audit/model/check-chain";
import type { Link } from "#lib/audit/model/link";
import type { Store } from "#lib/db/db";
import { nowMs } from "#lib/platform/now";
import { readChainHeads } from "#lib/audit/shared/chain-heads";

/** A chain, and the first entry that does not follow from the ones before it. */
export type ChainReport = {
  readonly chain: string;
  readonly entries: number;
  /** How many of the entries were emptied by the retention policy. */
  readonly purged: number;
  /** How many signed heads the chain contains. */
  readonly heads: number;
  readonly head: string;
  readonly broken?: ChainFault | undefined;
};

export const linkColumns = `seq::int AS seq, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, actor, act,
  task_id AS "taskId", detail, salt, content_hash AS "contentHash", prev_hash AS "prevHash", hash`;

/** So many at once that memory stays small. */
const batchLength = 2_000;

/** The entries of a chain in order, after one number and up to another. */
async function* readLinks(
  store: Store,
  { chain, after = 0, through }: { chain: string; after?: number; through?: number },
): AsyncGenerator<Link> {
  let last = after;
  for (;;) {
    const { rows } = await store.pool.query<Link>({
      name: "read-links",
      text: `SELECT ${linkColumns} FROM audit_entry
              WHERE chain = $1 AND seq > $2 AND seq <= coalesce($4::bigint, 9223372036854775807) ORDER BY seq LIMIT $3`,
      values: [chain, last, batchLength, through ?? null],
    });
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < batchLength) return;
    last = end.seq;
  }
}

type ChainQuery = {
  readonly chain: string;
  /** An entry that was verified before; the verification continues after it. */
  readonly from?: Place | undefined;
  /** What signed heads say about this chain. */
  readonly heads?: readonly KnownHead[] | undefined;
  /** Called for each entry that is in order. */
  readonly onGood?: ((link: Link) => void) | undefined;
};

/** Computes the hashes of a chain again, outside the database, and names the first entry that is wrong. */
export async function verifyChain(store: Store, { chain, from, heads = [], onGood }: ChainQuery): Promise<ChainResult> {
  // If what was verified before is gone, the whole chain is verified, to find where it broke.
  if (from && from.seq > 0 && !(await stands(store, chain, from)))
    return verifyChain(store, { chain, heads: [...heads, from], onGood });
  const check = checkChain(chain, { from, heads, asOf: nowMs() });
  for await (const link of readLinks(store, { chain, after: from?.seq ?? 0 })) {
    if (!check.take(link)) break;
    onGood?.(link);
  }
  const checked = check.end();
  const { broken, claims } = checked;
  if (broken?.problem !== "edited" || claims === undefined) return checked;
  const moved = await hasHash(store, chain, claims);
  return moved ? { ...checked, broken: { ...broken, problem: "reordered" } } : checked;
}

/** Every chain of the audit log, or one, from its first entry on. */
export async function verifyAudit(
  store: Store,
  chain?: string,
  heads: ReadonlyMap<string, readonly KnownHead[]> = new Map(),
): Promise<readonly ChainReport[]> {
  const there = await readChainHeads(store);
  const names = new Set([...there.map(({ chain: name }) => name), ...heads.keys()]);
  const reports: ChainReport[] = [];
  for (const name of [...names].sort()) {
    if (chain !== undefined && chain !== name) continue;
    const checked = await verifyChain(store, { chain: name, heads: heads.get(name) });
    const total = there.find((one) => one.chain === name);
    reports.push({
      chain: name,
      entries: checked.broken ? await countEntries(store, name) : checked.entries,
      purged: checked.purged,
      heads: checked.heads,
      head: checked.broken ? (total?.hash ?? "") : checked.last.hash,
      ...(checked.broken && { broken: checked.broken }),
    });
  }
  return reports;
}

async function stands(store: Store, chain: string, { seq, hash }: Place): Promise<boolean> {
  const { rowCount } = await store.pool.query("SELECT FROM audit_entry WHERE chain = $1 AND seq = $2 AND hash = $3", [
    chain,
    seq,
    hash,
  ]);
  return rowCount === 1;
}

async function hasHash(store: Store, chain: string, hash: string): Promise<boolean> {
  const { rowCount } = await store.pool.query("SELECT FROM audit_entry WHERE chain = $1 AND hash = $2 LIMIT 1", [
    chain,
    hash,
  ]);
  return rowCount === 1;
}

async function countEntries(store: Store, chain: string): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_entry WHERE chain = $1",
    [chain],
  );
  return rows[0]?.count ?? 0;
}
