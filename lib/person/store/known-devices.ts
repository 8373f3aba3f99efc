import type { Store, Tx } from "#lib/db/db";

/** After this many days without a sign-in, a device is unknown again. */
const keptDays = 90;

/** Per person; the least recently used are dropped. */
const devicesMax = 20;

type OfPerson = { readonly personId: string; readonly hash: Buffer };

/** Records a sign-in on this device. */
export async function knowDevice(store: Store, { personId, hash }: OfPerson): Promise<void> {
  await store.pool.query(
    `INSERT INTO known_device (person_id, hash, seen_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (person_id, hash) DO UPDATE SET seen_at = excluded.seen_at`,
    [personId, hash],
  );
  await store.pool.query(
    `DELETE FROM known_device d WHERE person_id = $1 AND hash IN
       (SELECT hash FROM known_device WHERE person_id = $1 ORDER BY seen_at DESC, hash OFFSET $2)`,
    [personId, devicesMax],
  );
}

/** Whether somebody signed in to this account on this device and has not ended that since. */
export async function isKnownDevice(
  store: Store,
  { account, hash }: { readonly account: string; readonly hash: Buffer },
): Promise<boolean> {
  const { rows } = await store.pool.query(
    `SELECT FROM known_device d JOIN person p ON p.id = d.person_id
      WHERE d.hash = $1 AND p.email = $2 AND d.seen_at > clock_timestamp() - make_interval(days => $3)`,
    [hash, account, keptDays],
  );
  return rows.length > 0;
}

/** Whether anybody signed in on it. */
export async function isAnybodysDevice(store: Store, hash: Buffer): Promise<boolean> {
  const { rows } = await store.pool.query("SELECT FROM known_device WHERE hash = $1 LIMIT 1", [hash]);
  return rows.length > 0;
}

/** Makes all of somebody's devices unknown. */
export async function forgetDevices(tx: Tx, personId: string): Promise<void> {
  await tx.knownDevice.deleteMany({ where: { personId } });
}

/** Deletes devices without a recent sign-in. */
export async function forgetOldDevices(store: Store): Promise<void> {
  await store.pool.query("DELETE FROM known_device WHERE seen_at < clock_timestamp() - make_interval(days => $1)", [
    keptDays,
  ]);
}
