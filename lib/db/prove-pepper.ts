import type { Store, Tx } from "./db.ts";
import { keyedHash, type KeyPepper } from "./keyed-hash.ts";
import { UnfitError } from "./unfit.ts";

const name = "CHANNEL_KEY_PEPPER";

const wrongPepper =
  "CHANNEL_KEY_PEPPER is not the one that the keys of channels were made with, so every key would be refused: set it to that one. If that one is lost, `key new-pepper --yes` of the command line accepts the one that is set; every channel then needs a new key.";

/**
 * Fails with `UnfitError` if the pepper of this process is not the one that the keys of channels were made with: it would
 * refuse all of them. The first process with a pepper stores its fingerprint.
 */
export async function provePepper(store: Store): Promise<void> {
  const own = fingerprintOf(store);
  if ((await keepFingerprint(store, own)) !== own) throw new UnfitError(wrongPepper);
}

/** The fingerprint that is stored; where there is none yet, this one is stored. */
async function keepFingerprint(store: Store, fingerprint: string): Promise<string> {
  const insert = "INSERT INTO secret_fingerprint (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING";
  for (;;) {
    const { rows } = await store.pool.query<{ fingerprint: string }>(
      "SELECT fingerprint FROM secret_fingerprint WHERE name = $1",
      [name],
    );
    if (rows[0]) return rows[0].fingerprint;
    await store.pool.query(insert, [name, fingerprint]);
  }
}

/** Makes the pepper of this process the one that processes have to have. Returns whether another was that before. */
export async function replaceFingerprint(tx: Tx, store: KeyPepper): Promise<boolean> {
  const data = { name, fingerprint: fingerprintOf(store) };
  const before = await tx.secretFingerprint.findUnique({ where: { name }, select: { fingerprint: true } });
  if (before?.fingerprint === data.fingerprint) return false;
  await tx.secretFingerprint.upsert({ where: { name }, create: data, update: data });
  return true;
}

/** Tells one pepper from another, and nothing more of it. */
function fingerprintOf(store: KeyPepper): string {
  return keyedHash(store, "which pepper this is").toString("hex");
}
