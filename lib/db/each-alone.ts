import { isUnavailable } from "./unavailable.ts";

/**
 * Does the same for one after the other. One that fails keeps no other from its turn: it fails at the end, with a failure
 * of ours rather than that the database was away, where there were both.
 */
export async function eachAlone<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await act(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures.find((failure) => !isUnavailable(failure)) ?? failures[0];
}
