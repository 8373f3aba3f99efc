import type { QueryConfig } from "pg";
import type { ChannelActor } from "#lib/access/model/actor";
import type { ReceivedFile } from "#lib/task/model/attachment";
import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";
import { taskWebhookStatement } from "#lib/channel/webhook/store/task-webhooks";
import { announce } from "#lib/db/announce";
import { keepFirstFiles, listFirstFiles } from "./attachments.ts";
import { type Store, unscoped } from "#lib/db/db";
import { openTaskStatement, type NewTask } from "./open-task.ts";
import { inPracticeShare, lockingChain } from "#lib/db/practice-share";
import { retried } from "#lib/db/retry";
import { scopeStatement } from "#lib/db/tenant-scope";

type Opening = NewTask & {
  readonly files: readonly ReceivedFile[];
  readonly webhook?: RequestedWebhook | undefined;
};

/**
 * Makes a task from a first message that brought files, or named a webhook: all of it or nothing.
 * False when a message with this id was accepted before. The bytes go first,
 * because the statement after them holds the practice's audit chain until the
 * commit. Where the connection is lost it is tried again with the same rows,
 * which are made once.
 */
export async function insertTaskWithFiles(store: Store, actor: ChannelActor, opening: Opening): Promise<boolean> {
  await store.keys.ready([opening.practiceId]);
  const statement = openTaskStatement(store, actor, opening);
  const insert = () =>
    inPracticeShare(store, opening.practiceId, () => tryInsert(store, actor, { opening, statement }));
  const made = await retried(insert, { repeatable: true });
  if (made) announce(store, "cases", opening.practiceId);
  return made;
}

type Inserting = { readonly opening: Opening; readonly statement: QueryConfig };

async function tryInsert(
  store: Store,
  { id: channelId }: ChannelActor,
  { opening, statement }: Inserting,
): Promise<boolean> {
  const { id: taskId, practiceId, at, files, message, webhook } = opening;
  const list = files.map(({ sha256 }) => sha256);
  const client = await unscoped(store).pool.connect();
  try {
    await client.query("BEGIN");
    if (store.scope) await client.query(scopeStatement(store.scope));
    await keepFirstFiles(client, store, { taskId, practiceId, received: files, at });
    const { rows } = await lockingChain(store, practiceId, () => client.query(statement));
    if (rows.length > 0) {
      await listFirstFiles(client, { taskId, practiceId, revision: 1, received: files, list, at });
      await client.query("UPDATE task SET attachment_count = $2 WHERE id = $1", [taskId, list.length]);
      if (webhook) await client.query(taskWebhookStatement(store, { ...webhook, taskId, practiceId, channelId }));
    }
    await client.query(rows.length > 0 ? "COMMIT" : "ROLLBACK");
    client.release();
    // Nobody but an earlier try of the same can have taken the place of a message without an id.
    return rows.length > 0 || message.messageId === undefined;
  } catch (error) {
    // A connection whose transaction failed is not given to anybody else.
    client.release(true);
    throw error;
  }
}
