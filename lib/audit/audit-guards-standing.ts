import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import { findBadGuards, type Guard } from "#lib/audit/store/audit-guards";

/** What of the database's own guards of the audit log is not as the migrations made it, for an operator. */
export async function badAuditGuards({ store }: Context<OperatorActor>): Promise<readonly Guard[]> {
  return findBadGuards(store);
}
