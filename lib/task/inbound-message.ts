import type { ChannelActor } from "#lib/access/model/actor";
import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";
import type { ReceivedFile } from "#lib/task/model/attachment";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Digest } from "#lib/task/model/task";
import type { KeptMessage } from "#lib/task/store/messages";
import type { TaskRow } from "#lib/task/store/task-rows";

/** What an accepted `message/send` asks for, parsed and checked by the endpoint. */
export type InboundMessage = {
  /** The client's own id. The same id with the same content is the same message, for the life of the task. */
  readonly messageId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** SHA-256 of what identifies the message: role, parts, `taskId` and `messageId`, without metadata and context. */
  readonly contentDigest: Digest;
  /** The RFC 8785 bytes of the `message` parameter, with `{sha256, size}` in place of each file's bytes. */
  readonly body: Uint8Array;
  /** JSON pointer of the intake's data object within the params. */
  readonly dataPath: string;
  readonly ask:
    | {
        readonly skill: "prior_auth_intake";
        readonly practiceId: string;
        readonly review: ServiceReview;
        /** RFC 8785 bytes of the service review. */
        readonly reviewBytes: Uint8Array;
        /** The files that the message brought, each once. */
        readonly files: readonly ReceivedFile[];
        /** The files of the previous revision that stay; all of them if absent. */
        readonly keepAttachments?: readonly Digest[] | undefined;
        /** The task whose authorization it renews or extends. */
        readonly earlierTaskId?: string | undefined;
      }
    | {
        readonly skill: "prior_auth_void";
        readonly practiceId: string;
        readonly taskId: string;
        readonly reason: string;
      };
  /** A2A's PushNotificationConfig as it came: where the channel wants changes told, which may not be allowed. */
  readonly pushConfig?: unknown;
  /** The same, once it is allowed. */
  readonly webhook?: RequestedWebhook | undefined;
  /** The last N messages to return with the task; 0 for none. */
  readonly historyLength: number;
};

/** The message as it is stored with its change. `revision` is set if it made one. */
export function messageOf(
  { id: channelId }: ChannelActor,
  { messageId, contentDigest, body }: InboundMessage,
  row: TaskRow,
  revision?: number,
): KeptMessage {
  const place = { taskId: row.id, practiceId: row.practice_id, at: row.now };
  return { ...place, channelId, messageId, contentDigest, revision, body };
}

/** Where it wants further changes told, as it is kept with what it changed; nothing where it names no place. */
export function webhookRecords({ id: channelId }: ChannelActor, { webhook }: InboundMessage) {
  return webhook ? [{ type: "webhook", webhook: { ...webhook, channelId } } as const] : [];
}
