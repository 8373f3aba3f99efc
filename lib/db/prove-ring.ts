import type { Pool } from "pg";
import { KeyRingError } from "#lib/platform/key-ring";
import type { Sealer } from "./seal.ts";

type Row = { row: string; practice_id: string; service_review: Uint8Array };

/**
 * Before the first key is made in a database that has cases already, the ring must open one of them; otherwise its
 * values would be lost behind keys of another ring.
 */
export async function proveEarlierRing(pool: Pool, sealer: Sealer): Promise<void> {
  const { rows } = await pool.query<Row>(
    "SELECT task_id || '/' || number AS row, practice_id, service_review FROM revision LIMIT 1",
  );
  const [one] = rows;
  if (!one) return;
  const place = { table: "revision", column: "service_review", row: one.row, practiceId: one.practice_id };
  try {
    sealer.open(one.service_review, place);
  } catch {
    throw new KeyRingError(wrongRing);
  }
}

export const wrongRing =
  "The sealing key is not this database's: set SEALING_KEY, or the file in SEALING_KEY_FILE, to the key it was made with.";
