import type { ConnectorName } from "#lib/domain/destination";
import type { Store } from "./db.ts";
import { openText } from "./seal.ts";

export const secretPlace = (routeId: string, practiceId: string) => ({
  table: "subscription",
  column: "secret",
  row: routeId,
  practiceId,
});

const nobody = "00000000-0000-0000-0000-000000000000";

/** The way by which a payer reaches us: one route's, with the secret whoever comes by it must show. */
export type PushDoor = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly connector: ConnectorName;
  readonly secret: string;
};

/** The door of this route, or undefined where no payer was ever asked to come by it. */
export async function loadPushDoor(store: Store, routeId: string): Promise<PushDoor | undefined> {
  const { rows } = await store.pool.query<DoorRow>({
    name: "push-door",
    text: `
      SELECT s.route_id, s.secret, r.practice_id, r.payer_id, r.connector
        FROM subscription s JOIN route r ON r.id = s.route_id WHERE s.route_id = $1`,
    // What names no route is looked for all the same.
    values: [routeId || nobody],
  });
  const [row] = rows;
  return (
    row && {
      routeId: row.route_id,
      practiceId: row.practice_id,
      payerId: row.payer_id,
      connector: row.connector,
      secret: openText(store.sealer, row.secret, secretPlace(row.route_id, row.practice_id)),
    }
  );
}

type DoorRow = {
  route_id: string;
  secret: Uint8Array;
  practice_id: string;
  payer_id: string;
  connector: ConnectorName;
};

/** Notes that the payer came by its door for the first time; later visits change nothing. */
export async function confirmSubscription(store: Store, routeId: string): Promise<void> {
  await store.pool.query({
    name: "confirm-subscription",
    text: "UPDATE subscription SET confirmed_at = clock_timestamp() WHERE route_id = $1 AND confirmed_at IS NULL",
    values: [routeId],
  });
}
