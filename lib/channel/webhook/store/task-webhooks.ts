import type { Db, Tx } from "#lib/db/db";
import { sealText } from "#lib/db/sealed";
import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";

type TaskPlace = { readonly taskId: string; readonly practiceId: string };

type TaskWebhook = RequestedWebhook & TaskPlace & { readonly channelId: string };

/** The statement that says where the changes of a task are told from now on, for the transaction that makes it. */
export function taskWebhookStatement(db: Db, { url, token, channelId, taskId, practiceId }: TaskWebhook) {
  const of = { row: taskId, practiceId };
  return {
    text: `
      WITH kept AS (
        INSERT INTO task_webhook (task_id, practice_id, channel_id, url, token) VALUES ($1::uuid, $2, $3::uuid, $4, $5)
        ON CONFLICT (task_id) DO UPDATE SET channel_id = $3::uuid, url = $4, token = $5)
      UPDATE task SET has_webhook = true WHERE id = $1::uuid AND practice_id = $2`,
    values: [
      taskId,
      practiceId,
      channelId,
      sealText(db, "task_webhook.url", of, url),
      token === undefined ? null : sealText(db, "task_webhook.token", of, token),
    ],
  };
}

/** The same in a transaction of Prisma's. */
export async function saveTaskWebhook(tx: Tx, webhook: TaskWebhook): Promise<void> {
  const { text, values } = taskWebhookStatement(tx, webhook);
  await tx.$executeRawUnsafe(text, ...values);
}
