import type { Store } from "#lib/db/db";

/** Makes ready, and gives the one act that is then done. */
export type Preparation = (store: Store) => Promise<() => Promise<unknown>>;
