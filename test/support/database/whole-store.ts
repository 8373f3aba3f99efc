import { openStore, type Store, type StoreOptions } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

/** A store of the test's own over every practice, which the application's stores are not. */
export function openWholeStore(options: StoreOptions): Store {
  return acrossPractices(openStore(options), "tests");
}
