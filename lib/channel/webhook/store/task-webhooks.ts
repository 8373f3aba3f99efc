import type { Tx } from "#lib/db/db";
import { sealText, type Sealer } from "#lib/db/seal";
import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";

type TaskPlace = { readonly taskId: string; readonly practiceId: string };

export const webhookPlace = ({ taskId, practiceId }: TaskPlace, column: "url" | "token") => ({
  ...{ table: "task_webhook", column, row: taskId, practiceId },
});

type TaskWebhook = RequestedWebhook & TaskPlace & { readonly channelId: string };

/** The statement that says where the changes of a task are told from now on, for the transaction that makes it. */
export function taskWebhookStatement(sealer: Sealer, { url, token, channelId, ...place }: TaskWebhook) {
  return {
    text: `
      WITH kept AS (
        INSERT INTO task_webhook (task_id, practice_id, channel_id, url, token) VALUES ($1::uuid, $2, $3::uuid, $4, $5)
        ON CONFLICT (task_id) DO UPDATE SET channel_id = $3::uuid, url = $4, token = $5)
      UPDATE task SET has_webhook = true WHERE id = $1::uuid AND practice_id = $2`,
    values: [
      place.taskId,
      place.practiceId,
      channelId,
      sealText(sealer, url, webhookPlace(place, "url")),
      token === undefined ? null : sealText(sealer, token, webhookPlace(place, "token")),
    ],
  };
}

/** The same in a transaction of Prisma's. */
export async function saveTaskWebhook(tx: Tx, sealer: Sealer, webhook: TaskWebhook): Promise<void> {
  const { text, values } = taskWebhookStatement(sealer, webhook);
  await tx.$executeRawUnsafe(text, ...values);
}
