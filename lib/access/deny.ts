import type { Context } from "./context.ts";
import type { Actor, Reach } from "#lib/access/model/actor";
import { refuse, type Result } from "#lib/platform/result";
import { recordPersonDenial, recordReachDenial } from "#lib/access/shared/person-denials";
import type { Tx } from "#lib/db/db";
import type { AdminRefusal } from "./refusal.ts";

/** Refuses with `not-authorised`. If the actor is a person, the denial is put into the audit log. */
export async function deny({ actor, store }: Context, requested: RequestedArea): Promise<Result<never, AdminRefusal>> {
  if (actor.kind === "person") await recordPersonDenial(store, actor, { requested });
  return refuse({ type: "not-authorised" });
}

/**
 * Refuses with `not-found` what exists beyond a person's reach, as if it did not exist. Puts the denial into the audit
 * log with the practices it concerns, so that auditors of other practices do not see it. Call it outside any other
 * write, and only if the thing exists, because typed text is never recorded.
 */
export async function denyOutOfReach(
  db: Tx,
  actor: Actor,
  {
    what,
    id,
    practices,
  }: { readonly what: "change" | "channel" | "person" | "practice"; readonly id: string; readonly practices: Reach },
): Promise<Result<never, AdminRefusal>> {
  if (actor.kind === "person") await recordReachDenial(db, actor, { requested: what, [what]: id, practices });
  return refuse({ type: "not-found", what });
}

/** What the person requested. */
type RequestedArea = "change" | "channels" | "keys" | "people" | "practices" | "receipts" | "record" | "routes";
