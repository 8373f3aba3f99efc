import "server-only";
import type { Store } from "#lib/db/db";
import type { ComesFrom } from "#lib/person/store/people";
import { accountStore } from "./account-store.ts";
import { requestOrigin } from "./request-origin.ts";

/** Whoever acts without being signed in: a verb learns who they are by what they type, such as a password, a link or a key. */
export type Visitor = {
  readonly store: Store;
  readonly from: ComesFrom;
  /** Nobody, as far as is known. */
  readonly actor?: undefined;
};

export async function currentVisitor(): Promise<Visitor> {
  return { store: accountStore(), from: await requestOrigin() };
}
