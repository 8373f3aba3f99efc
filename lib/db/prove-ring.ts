import type { Pool } from "pg";
import { KeyRingError } from "#lib/platform/key-ring";
import { everyPractice, scopeStatement } from "./scope.ts";
import type { Sealer } from "./seal.ts";

type Row = { row: string; practice_id: string; service_review: Uint8Array };

/**
 * Before the first key is made in a database that has cases already, the ring must open one of them; otherwise its
 * values would be lost behind keys of another ring.
 */
export async function proveEarlierRing(pool: Pool, sealer: Sealer): Promise<void> {
  const one = await anyRevision(pool);
  if (!one) return;
  const place = { table: "revision", column: "service_review", row: one.row, practiceId: one.practice_id };
  try {
    sealer.open(one.service_review, place);
  } catch {
    throw new KeyRingError(wrongRing);
  }
}

/** Of whatever practice: this pool is no store, so the transaction says itself that it acts across practices. */
async function anyRevision(pool: Pool): Promise<Row | undefined> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN READ ONLY");
    await client.query(scopeStatement(everyPractice));
    const { rows } = await client.query<Row>(
      "SELECT task_id || '/' || number AS row, practice_id, service_review FROM revision LIMIT 1",
    );
    await client.query("COMMIT");
    client.release();
    return rows[0];
  } catch (error) {
    // A connection whose transaction failed is not given to anybody else.
    client.release(true);
    throw error;
  }
}

export const wrongRing =
  "The sealing key is not this database's: set SEALING_KEY, or the file in SEALING_KEY_FILE, to the key it was made with.";
