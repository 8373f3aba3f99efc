import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, type Result } from "#lib/domain/result";
import { listPersonRecords, type PersonRecord } from "#lib/store/admin-people";
import { shownTo } from "./show-person.ts";
import { isKnownTo } from "./administered-person.ts";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

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
