import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { listPersonRecords, type PersonRecord } from "#lib/person/store/admin-people";
import { shownTo } from "./show-person.ts";
import { isKnownTo } from "./administered-person.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type { PersonRecord };

/**
 * Everybody who can or could sign in and works where whoever asks is an admin, by email; of what they may do, that
 * alone. Which second factor they have is told of those whose every role lies there.
 */
export async function listPeople({ actor, store }: Context): Promise<Result<readonly PersonRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "people");
  const list = (await listPersonRecords(store)).filter((person) => isKnownTo(actor, person));
  return ok(list.map((person) => shownTo(actor, person)));
}
