import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { verifyAudit, type ChainReport } from "#lib/store/audit";
import type { AdminRefusal } from "./refusal.ts";

export type { ChainReport };

/** Every chain of the audit record as it stands, each with its first entry that does not follow. */
export async function verifyRecord(
  { actor, store }: Context,
  { chain }: { chain?: string | undefined },
): Promise<Result<readonly ChainReport[], AdminRefusal>> {
  return isAdmin(actor) ? ok(await verifyAudit(store, chain)) : refuse({ type: "not-authorised" });
}
