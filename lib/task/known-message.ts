import type { ChannelActor } from "#lib/access/model/actor";
import type { Store, Tx } from "#lib/db/db";
import { findMessage } from "#lib/task/store/messages";
import type { InboundMessage } from "./inbound-message.ts";

/** Whether a message with this id was accepted from the channel before, with any content. */
export async function isKnownMessage(
  db: Store | Tx,
  { id: channelId }: ChannelActor,
  { messageId }: InboundMessage,
): Promise<boolean> {
  return messageId !== undefined && (await findMessage(db, { channelId, messageId })) !== undefined;
}
