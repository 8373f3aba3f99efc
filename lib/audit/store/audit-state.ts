import type { ChainFault, Place } from "#lib/audit/model/check-chain";
import type { Store, Tx } from "#lib/db/db";
import { now } from "#lib/platform/now";

/** Facts about a chain that are stored beside it, for pages. The proof is the chain, and the folder of signed heads. */
export type ChainState = {
  readonly chain: string;
  readonly verified: Place & { readonly at: Date | null };
  /** When it was last verified from its first entry. */
  readonly wholeAt: Date | null;
  readonly broken: { readonly seq: number; readonly problem: string } | undefined;
  /** The last head that was signed and written to the folder. */
  readonly exported: { readonly seq: number; readonly at: Date; readonly head: string | null } | undefined;
  readonly purgedThrough: number;
};

export async function readChainStates(store: Store, chains: readonly string[]): Promise<readonly ChainState[]> {
  const rows = await store.prisma.auditChain.findMany({ where: { chain: { in: [...chains] } } });
  return rows.map(({ chain, verifiedSeq, verifiedHash, verifiedAt, badSeq, problem, ...row }) => ({
    chain,
    verified: { seq: Number(verifiedSeq), hash: verifiedHash, at: verifiedAt },
    wholeAt: row.wholeAt,
    broken: badSeq === null || problem === null ? undefined : { seq: Number(badSeq), problem },
    exported: row.exportedAt ? { seq: Number(row.exportedSeq), at: row.exportedAt, head: row.signedHead } : undefined,
    purgedThrough: Number(row.purgedThrough),
  }));
}

type Verification = {
  readonly chain: string;
  readonly last: Place;
  readonly broken?: ChainFault | undefined;
  readonly isWhole: boolean;
};

/** Records how far a chain has been verified, whether from its first entry, and its first bad entry if there is one. */
export async function recordVerified(store: Store, { chain, last, broken, isWhole }: Verification): Promise<void> {
  const found = {
    verifiedSeq: last.seq,
    verifiedHash: last.hash,
    verifiedAt: now(),
    badSeq: broken?.seq ?? null,
    problem: broken?.problem ?? null,
    ...(isWhole && { wholeAt: now() }),
  };
  await store.prisma.auditChain.upsert({ where: { chain }, create: { chain, ...found }, update: found });
}

/** Records which heads were written to the folder, with the line of each. */
export async function recordExported(
  store: Store,
  { heads, at }: { readonly heads: readonly { chain: string; seq: number; line: string }[]; readonly at: Date },
): Promise<void> {
  await store.pool.query(
    `INSERT INTO audit_chain (chain, exported_seq, exported_at, signed_head)
     SELECT chain, seq, $4, line FROM unnest($1::text[], $2::bigint[], $3::text[]) AS head (chain, seq, line)
     ON CONFLICT (chain) DO UPDATE
        SET exported_seq = excluded.exported_seq, exported_at = excluded.exported_at, signed_head = excluded.signed_head`,
    [heads.map(({ chain }) => chain), heads.map(({ seq }) => seq), heads.map(({ line }) => line), at],
  );
}

/**
 * Empties the oldest entries of a chain that its retention policy no longer keeps, at most `limit`. Returns how many.
 */
export async function purgeChain(
  store: Store,
  { chain, limit }: { readonly chain: string; readonly limit: number },
): Promise<number> {
  const { rows } = await store.pool.query<{ purged: number }>("SELECT audit_purge($1, $2) AS purged", [chain, limit]);
  return rows[0]?.purged ?? 0;
}

/** How many days contents are kept, by chain; `*` for every chain without a rule of its own. */
export async function readRetention(store: Store): Promise<ReadonlyMap<string, number>> {
  const rows = await store.prisma.auditRetention.findMany();
  return new Map(rows.map(({ scope, days }) => [scope, days]));
}

/** Sets or removes a retention rule. Returns the one before. */
export async function writeRetention(
  tx: Tx,
  { scope, days }: { readonly scope: string; readonly days: number | undefined },
): Promise<number | undefined> {
  const before = await tx.auditRetention.findUnique({ where: { scope } });
  if (days === undefined) await tx.auditRetention.deleteMany({ where: { scope } });
  else await tx.auditRetention.upsert({ where: { scope }, create: { scope, days }, update: { days } });
  return before?.days;
}
