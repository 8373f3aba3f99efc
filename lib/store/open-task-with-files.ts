import type { ChannelActor } from "#lib/domain/actor";
import type { ReceivedFile } from "#lib/domain/attachment";
import { announce } from "./announce.ts";
import { keepFiles, listFiles } from "./attachments.ts";
import { type Store, wholeOf } from "./db.ts";
import { openTaskStatement, type NewTask } from "./open-task.ts";
import { scopeStatement } from "./scope.ts";

/**
 * Makes a task from a first message that brought files: all of it or nothing.
 * False when a message with this id was accepted before. The bytes go first,
 * because the statement after them holds the practice's audit chain until the
 * commit.
 */
export async function insertTaskWithFiles(
  store: Store,
  actor: ChannelActor,
  opening: NewTask & { readonly files: readonly ReceivedFile[] },
): Promise<boolean> {
  const { id: taskId, practiceId, at, files } = opening;
  const list = files.map(({ sha256 }) => sha256);
  await store.keys.ready([practiceId]);
  const client = await wholeOf(store).pool.connect();
  try {
    await client.query("BEGIN");
    if (store.scope) await client.query(scopeStatement(store.scope));
    await keepFiles(client, store.sealer, { taskId, practiceId, received: files, at });
    const { rows } = await client.query(openTaskStatement(store, actor, opening));
    if (rows.length > 0) {
      await listFiles(client, { taskId, practiceId, revision: 1, received: files, list, at });
      await client.query("UPDATE task SET attachment_count = $2 WHERE id = $1", [taskId, list.length]);
    }
    await client.query(rows.length > 0 ? "COMMIT" : "ROLLBACK");
    client.release();
    if (rows.length > 0) announce(store, "cases", practiceId);
    return rows.length > 0;
  } catch (error) {
    // A connection whose transaction failed is not given to anybody else.
    client.release(true);
    throw error;
  }
}
