import type { Place } from "#lib/audit/model/check-chain";
import type { Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

export type ChainHead = { readonly chain: string } & Place;

/** The last entry of every chain, by name. Each is one probe of the primary key. */
export async function readChainHeads(store: Store): Promise<readonly ChainHead[]> {
  const { rows } = await acrossPractices(store, "audit-chains").pool.query<ChainHead>(`
    WITH RECURSIVE head AS (
      (SELECT chain, seq, hash FROM audit_entry ORDER BY chain DESC, seq DESC LIMIT 1)
      UNION ALL
      SELECT before.* FROM head CROSS JOIN LATERAL (
        SELECT chain, seq, hash FROM audit_entry WHERE chain < head.chain ORDER BY chain DESC, seq DESC LIMIT 1) before)
    SELECT chain, seq::int AS seq, hash FROM head ORDER BY chain COLLATE "C"`);
  return rows;
}
