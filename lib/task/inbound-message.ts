import type { ChannelActor } from "#lib/access/model/actor";
import type { ReceivedFile } from "#lib/task/model/attachment";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Digest } from "#lib/task/model/task";
import type { KeptMessage } from "#lib/task/store/messages";
import type { TaskRow } from "#lib/task/store/task-rows";

/** What an accepted `message/send` asks for, parsed and checked by the edge. */
export type InboundMessage = {
  /** The client's own id; the same id and content is the same message for the task's life. */
  readonly messageId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** SHA-256 of what makes it this message: role, parts, `taskId` and `messageId`, without metadata and context. */
  readonly contentDigest: Digest;
  /** The RFC 8785 bytes of the `message` parameter, each file's bytes standing as `{sha256, size}`. */
  readonly body: Uint8Array;
  /** JSON pointer of the intake data object within the params. */
  readonly dataPath: string;
  readonly ask:
    | {
        readonly skill: "prior_auth_intake";
        readonly practiceId: string;
        readonly review: ServiceReview;
        /** RFC 8785 bytes of the service review. */
        readonly reviewBytes: Uint8Array;
        /** What the message brought, each file once. */
        readonly files: readonly ReceivedFile[];
        /** Which files of the revision before stay; all of them where it does not say. */
        readonly keepAttachments?: readonly Digest[] | undefined;
      }
    | {
        readonly skill: "prior_auth_void";
        readonly practiceId: string;
        readonly taskId: string;
        readonly reason: string;
      };
  /** The last N messages to return with the task; 0 for none. */
  readonly historyLength: number;
};

/** The message as it is kept with what it changed; `revision` where it made one. */
export function messageOf(
  { id: channelId }: ChannelActor,
  { messageId, contentDigest, body }: InboundMessage,
  row: TaskRow,
  revision?: number,
): KeptMessage {
  const place = { taskId: row.id, practiceId: row.practice_id, at: row.now };
  return { ...place, channelId, messageId, contentDigest, revision, body };
}
