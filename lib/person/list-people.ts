import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { listPersonRecords, type PersonRecord } from "#lib/person/store/admin-people";
import { visibleTo } from "./show-person.ts";
import { administersSomeOf } from "./administered-person.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type { PersonRecord };

/**
 * Every person with a role in a practice that the actor administers, by email, deactivated accounts included, with the
 * roles in those practices alone. Their second factor is shown where the actor administers all their practices.
 */
export async function listPeople({ actor, store }: Context): Promise<Result<readonly PersonRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "people");
  const list = (await listPersonRecords(store)).filter((person) => administersSomeOf(actor, person));
  return ok(list.map((person) => visibleTo(actor, person)));
}
