import { createHash } from "node:crypto";
import type { Store, Tx } from "./db.ts";
import { newId } from "./new-id.ts";
import { insertPayerEvent } from "./save-task.ts";
import type { TaskRow } from "./task-rows.ts";

/** Keeps, sealed, what a person says a recorded fact rests on: whom they asked, how and when. */
export async function insertNote(
  { tx, store, row }: { tx: Tx; store: Store; row: TaskRow },
  { kind, text }: { kind: string; text: string },
): Promise<boolean> {
  const id = newId();
  const digest = createHash("sha256").update(`${id}\n${text}`).digest("hex");
  const where = { tx, sealer: store.sealer, row };
  return insertPayerEvent(where, { id, kind: `person.${kind}`, digest, payload: Buffer.from(text) });
}
