import type { Context } from "#lib/access/context";
import type { Place } from "./model/check-chain.ts";
import type { SignedHead } from "./heads.ts";
import { ok, type Result } from "#lib/platform/result";
import { verifyAudit, type ChainReport } from "#lib/audit/store/audit-chain";
import { findBadGuards, type Guard } from "#lib/audit/shared/audit-guards";
import { replayTasks, type ReplayReport } from "#lib/task/shared/replayed-tasks";
import { mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * The state of the audit log: each chain with its first bad entry, each database guard that is missing, and each task
 * that does not follow from its events.
 */
export type AuditReport = {
  readonly chains: readonly ChainReport[];
  readonly guards: readonly Guard[];
  readonly replay: ReplayReport;
};

type VerifyOptions = {
  readonly chain?: string | undefined;
  /** Signed heads with verified signatures; the chains must contain them. */
  readonly heads?: readonly SignedHead[] | undefined;
};

/** Verifies every chain of the audit log, or one, from its first entry on, and the tasks whose chain it is. */
export async function verifyAuditLog(
  { actor, store }: Context,
  { chain, heads = [] }: VerifyOptions,
): Promise<Result<AuditReport, AdminRefusal>> {
  if (!mayAdminister(actor, "every-practice")) return deny({ actor, store }, "record");
  const byChain: ReadonlyMap<string, readonly Place[]> = Map.groupBy(heads, (head) => head.chain);
  const [chains, guards] = await Promise.all([verifyAudit(store, chain, byChain), findBadGuards(store)]);
  return ok({ chains, guards, replay: await replayTasks(store, chain) });
}
