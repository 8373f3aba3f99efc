import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, type Result } from "#lib/domain/result";
import { listPersonRecords, type PersonRecord } from "#lib/store/admin-people";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

export type { PersonRecord };

/** Everybody who can or could sign in, by email. */
export async function listPeople({ actor, store }: Context): Promise<Result<readonly PersonRecord[], AdminRefusal>> {
  return isAdmin(actor) ? ok(await listPersonRecords(store)) : denied({ actor, store }, "people");
}
