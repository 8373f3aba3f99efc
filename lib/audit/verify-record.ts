import type { Context } from "#lib/access/context";
import type { Place } from "./model/check-chain.ts";
import type { SignedHead } from "./heads.ts";
import { ok, type Result } from "#lib/platform/result";
import { verifyAudit, type ChainReport } from "#lib/audit/store/audit-chain";
import { findBadGuards, type Guard } from "#lib/audit/store/audit-guards";
import { mayAdminister } from "#lib/access/administer";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type { ChainReport, Guard };

/** The record as it stands: every chain with its first bad entry, and what no longer guards it. */
export type RecordReport = { readonly chains: readonly ChainReport[]; readonly guards: readonly Guard[] };

type Asked = {
  readonly chain?: string | undefined;
  /** Signed heads whose signatures were checked, which the chains have to go through. */
  readonly heads?: readonly SignedHead[] | undefined;
};

/** Goes through every chain of the audit record, or one, from its first entry on. */
export async function verifyRecord(
  { actor, store }: Context,
  { chain, heads = [] }: Asked,
): Promise<Result<RecordReport, AdminRefusal>> {
  if (!mayAdminister(actor, "every-practice")) return denied({ actor, store }, "record");
  const byChain: ReadonlyMap<string, readonly Place[]> = Map.groupBy(heads, (head) => head.chain);
  const [chains, guards] = await Promise.all([verifyAudit(store, chain, byChain), findBadGuards(store)]);
  return ok({ chains, guards });
}
