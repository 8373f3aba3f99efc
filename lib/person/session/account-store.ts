import { sharedStore, type Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

/** The store of whoever signs in or changes their own account: nobody's practices are known before it was read. */
export function accountStore(): Store {
  return acrossPractices(sharedStore(), "accounts");
}
