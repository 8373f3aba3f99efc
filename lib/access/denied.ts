import type { Context } from "./context.ts";
import type { Actor } from "#lib/access/model/actor";
import { refuse, type Result } from "#lib/platform/result";
import { recordPersonDenial, recordReachDenial } from "#lib/access/store/person-denials";
import type { Tx } from "#lib/db/db";
import type { AdminRefusal } from "./refusal.ts";

/** Refuses for lack of a power, and puts it on record where a person asked. */
export async function denied({ actor, store }: Context, asked: Asked): Promise<Result<never, AdminRefusal>> {
  if (actor.kind === "person") await recordPersonDenial(store, actor, { asked });
  return refuse({ type: "not-authorised" });
}

/**
 * Refuses what is there and lies beyond somebody's reach as if it were not there, and puts it on record. To be called
 * where nothing else is written, and only where there is such a thing: what somebody typed is never recorded. With the
 * practices it belongs to, so that no auditor of others sees the entry.
 */
export async function outOfReach(
  db: Tx,
  actor: Actor,
  {
    what,
    id,
    practices,
  }: { readonly what: "channel" | "person" | "practice"; readonly id: string; readonly practices: readonly string[] },
): Promise<Result<never, AdminRefusal>> {
  if (actor.kind === "person") await recordReachDenial(db, actor, { asked: what, [what]: id, practices });
  return refuse({ type: "not-found", what });
}

/** What was asked for. */
type Asked = "change" | "channels" | "keys" | "people" | "practices" | "receipts" | "record" | "routes";
