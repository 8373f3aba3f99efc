import type { Context } from "#lib/access/context";
import type { KnownHead } from "./model/check-chain.ts";
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
  /** What signed heads with verified signatures say of each chain; the chains must contain it. */
  readonly heads?: ReadonlyMap<string, readonly KnownHead[]> | undefined;
};

/** A chain that is no practice's; the id of a practice has no colon, and is never `people`. */
const isShared = (chain: string) => chain === "people" || chain.includes(":");
const noTasks: ReplayReport = { tasks: 0, before: 0, faults: [] };

/** Verifies every chain of the audit log, or one, from its first entry on, and the tasks whose chain it is. */
export async function verifyAuditLog(
  { actor, store }: Context,
  { chain, heads }: VerifyOptions,
): Promise<Result<AuditReport, AdminRefusal>> {
  if (!mayAdminister(actor, "every-practice")) return deny({ actor, store }, "record");
  const [chains, guards] = await Promise.all([verifyAudit(store, chain, heads), findBadGuards(store)]);
  const hasTasks = chain === undefined || !isShared(chain);
  return ok({ chains, guards, replay: hasTasks ? await replayTasks(store, chain) : noTasks });
}
