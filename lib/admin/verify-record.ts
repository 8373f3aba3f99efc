import type { Context } from "#lib/context";
import type { Place } from "#lib/audit/check-chain";
import type { SignedHead } from "#lib/audit/heads";
import { ok, type Result } from "#lib/domain/result";
import { verifyAudit, type ChainReport } from "#lib/store/audit-chain";
import { findBadGuards, type Guard } from "#lib/store/audit-guards";
import { mayAdminister } from "./administer.ts";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

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
