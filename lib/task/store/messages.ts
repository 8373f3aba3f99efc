import { type Db, query, type Store, type Tx } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { sealedBytes, unlessLost } from "#lib/db/archived";
import { openArchivedBytes, sealBytes } from "#lib/db/sealed";
import { messageBytesMax } from "#lib/task/model/message-length";

export type KeptMessage = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly channelId: string;
  readonly messageId: string | undefined;
  readonly contentDigest: string;
  readonly revision: number | undefined;
  readonly body: Uint8Array;
  readonly at: Date;
};

/** Remembers an accepted message. False when its twin was accepted first. */
export async function insertMessage(tx: Tx, message: KeptMessage): Promise<boolean> {
  const id = newId();
  const { count } = await tx.message.createMany({
    data: {
      id,
      taskId: message.taskId,
      practiceId: message.practiceId,
      channelId: message.channelId,
      messageId: message.messageId ?? null,
      contentDigest: message.contentDigest,
      revision: message.revision ?? null,
      body: sealBytes(tx, "message.body", { row: id, practiceId: message.practiceId }, message.body),
      size: message.body.length,
      createdAt: message.at,
    },
    skipDuplicates: true,
  });
  return count > 0;
}

/** The message that brought a revision, and the name of the channel that sent it. */
export async function messageOfRevision(
  store: Store,
  { taskId, practiceId, revision }: { taskId: string; practiceId: string; revision: number },
): Promise<{ messageId: string | undefined; channel: string } | undefined> {
  const { rows } = await store.pool.query<{ message_id: string | null; channel: string }>({
    name: "message-of-revision",
    text: `SELECT m.message_id, c.name AS channel FROM message m JOIN channel c ON c.id = m.channel_id
            WHERE m.task_id = $1::uuid AND m.practice_id = $2 AND m.revision = $3 LIMIT 1`,
    values: [taskId, practiceId, revision],
  });
  return rows[0] && { messageId: rows[0].message_id ?? undefined, channel: rows[0].channel };
}

type StoredMessage = { readonly taskId: string; readonly contentDigest: string };

const knownText = `SELECT task_id AS "taskId", content_digest AS "contentDigest" FROM message_known($1::uuid, $2)`;

/** The task an earlier message of this channel with this id made or continued, in whichever practice, if there was one. */
export async function findMessage(
  db: Db,
  { channelId, messageId }: { channelId: string; messageId: string },
): Promise<StoredMessage | undefined> {
  const rows = await query<StoredMessage>(db, {
    name: "find-message",
    text: knownText,
    values: [channelId, messageId],
  });
  return rows[0];
}

/** SQL: the bytes of a message's body. As long as it is stored, where it was kept before its size was. */
const sizeOf = (message: string) => `coalesce(${message}.size, ${sealedBytes(`${message}.body`)})`;

/** Most bytes of messages that are read along with their task; more are read by themselves. */
const alongBytesMax = 65_536;

/**
 * A join of a query over `task t`: its last messages as three columns of its row, newest first, none of them where they
 * come to more than are read along. `practiceId` is the practice they must be of, and `limit` how many are asked for.
 */
export const lastMessagesJoin = ({ practiceId, limit }: { practiceId: string; limit: string }) => `
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS history_count,
           array_agg(last.id) FILTER (WHERE upto <= ${alongBytesMax}) AS history_ids,
           array_agg(octet_length(last.body)) FILTER (WHERE upto <= ${alongBytesMax}) AS history_bytes,
           string_agg(last.body, ''::bytea) FILTER (WHERE upto <= ${alongBytesMax}) AS history_bodies
      FROM (SELECT m.id::text AS id, m.body,
                   sum(${sizeOf("m")}) OVER (ORDER BY m.created_at DESC, m.id DESC ROWS UNBOUNDED PRECEDING) AS upto
              FROM message m WHERE m.task_id = t.id AND m.practice_id = ${practiceId}
             ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit}) last) history`;

/** The columns of `lastMessagesJoin`. */
export type HistoryColumns = {
  history_count: number;
  history_ids: readonly string[] | null;
  history_bytes: readonly number[] | null;
  history_bodies: Uint8Array | null;
};

/** A message as it is stored; opened where its practice's key is at hand. */
export type SealedMessage = { readonly id: string; readonly body: Uint8Array };

/** The messages read along, oldest first; undefined where they were too many bytes to be. */
export function rowToHistory(row: HistoryColumns): readonly SealedMessage[] | undefined {
  const ids = row.history_ids ?? [];
  if (ids.length < row.history_count) return undefined;
  let at = 0;
  const newestFirst = ids.map((id, index) => {
    const from = at;
    at += row.history_bytes?.[index] ?? 0;
    return { id, body: row.history_bodies?.subarray(from, at) ?? new Uint8Array() };
  });
  return newestFirst.reverse();
}

/** Messages in the order in which they were asked for, and how many of them the archive lost. */
type OpenMessages = { readonly bodies: readonly Uint8Array[]; readonly lost: number };

/** The messages themselves, out of the archive where they are there. */
export async function openMessages(
  db: Db,
  messages: readonly SealedMessage[],
  practiceId: string,
): Promise<OpenMessages> {
  const opened = await Promise.all(
    messages.map(({ id, body }) => unlessLost(openArchivedBytes(db, "message.body", { row: id, practiceId }, body))),
  );
  const bodies = opened.filter((body) => body !== undefined);
  return { bodies, lost: opened.length - bodies.length };
}

type HistoryQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly limit: number;
  readonly bytesMax: number;
  /** Only those that brought a later revision. */
  readonly after?: number | undefined;
  /** Only those after the message in this row. */
  readonly afterMessage?: string | undefined;
};

/** The row of the newest message of a task with this id of its client's, or without one and with this content. */
export async function findInHistory(
  store: Store,
  { taskId, practiceId, named }: Pick<HistoryQuery, "taskId" | "practiceId"> & { readonly named: string },
): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "find-in-history",
    text: `SELECT id FROM message WHERE task_id = $1::uuid AND practice_id = $2
              AND (message_id = $3 OR (message_id IS NULL AND content_digest = $3))
            ORDER BY created_at DESC, id DESC LIMIT 1`,
    values: [taskId, practiceId, named],
  });
  return rows[0]?.id;
}

/**
 * The last `limit` accepted messages of a task, oldest first, as their canonical bytes with references for files. Of these
 * the newest that come to `bytesMax` together, and the last in any case, but none that is longer than a message may be;
 * `leftOut` is how many that leaves out, and `lost` how many of the others the archive lost.
 */
export async function lastMessages(
  store: Store,
  { taskId, practiceId, limit, bytesMax, after, afterMessage }: HistoryQuery,
): Promise<OpenMessages & { readonly leftOut: number }> {
  const { rows } = await store.pool.query<Partial<SealedMessage> & { matched: number }>({
    name: "last-messages",
    // A body's length is known without reading it. The newest has a row in any case, to tell how many there are.
    text: `SELECT m.id, m.body, counted.matched
             FROM (SELECT id, row_number() OVER newest AS number, fits,
                          sum(bytes) FILTER (WHERE fits) OVER newest AS upto, count(*) OVER ()::int AS matched
                     FROM (SELECT id, created_at, bytes, bytes <= ${messageBytesMax} AS fits
                             FROM (SELECT id, created_at, ${sizeOf("message")} AS bytes FROM message
                                    WHERE task_id = $1::uuid AND practice_id = $2 AND ($4::int IS NULL OR revision > $4)
                                      AND ($6::uuid IS NULL OR (created_at, id) > (SELECT created_at, id FROM message WHERE id = $6))
                                    ORDER BY created_at DESC, id DESC LIMIT $3) sized) last
                   WINDOW newest AS (ORDER BY created_at DESC, id DESC)) counted
             LEFT JOIN message m ON m.id = counted.id AND m.practice_id = $2 AND counted.fits
            WHERE counted.number = 1 OR counted.upto <= $5::int ORDER BY counted.number DESC`,
    values: [taskId, practiceId, limit, after ?? null, bytesMax, afterMessage ?? null],
  });
  const read = rows.flatMap(({ id, body }) => (id && body ? [{ id, body }] : []));
  return { ...(await openMessages(store, read, practiceId)), leftOut: (rows[0]?.matched ?? 0) - read.length };
}

/** How many bytes a task's messages, its files and what was frozen for the payer take. */
export async function storedBytes(
  tx: Tx,
  { taskId, practiceId }: Pick<HistoryQuery, "taskId" | "practiceId">,
): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ bytes: number }[]>(
    `
    SELECT ((SELECT coalesce(sum(${sizeOf("message")}), 0) FROM message
              WHERE task_id = $1::uuid AND practice_id = $2)
          + (SELECT coalesce(sum(size), 0) FROM attachment
              WHERE task_id = $1::uuid AND practice_id = $2)
          + (SELECT coalesce(sum(${sealedBytes("calls")}), 0) FROM gate
              WHERE task_id = $1::uuid AND practice_id = $2))::float8 AS bytes`,
    taskId,
    practiceId,
  );
  return row?.bytes ?? 0;
}
