import type { PoolClient } from "pg";
import { type Store, unscoped } from "#lib/db/db";

/** The statements of each round trip of a transaction over this store's connections, from now on. */
export function notedTrips(store: Store): (readonly string[])[] {
  const trips: (readonly string[])[] = [];
  unscoped(store).pool.on("connect", (client: PoolClient) => {
    // Safe because it hands on whatever it is given.
    const ask = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    const noting = (...args: readonly unknown[]) => {
      const [trip] = args as readonly [{ readonly statements?: readonly string[] }];
      if (trip.statements) trips.push(trip.statements);
      return ask(...args);
    };
    Object.assign(client, { query: noting });
  });
  return trips;
}
