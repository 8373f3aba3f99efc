import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { attachmentTypes, type Attachment, type OpenAttachment, type ReceivedFile } from "#lib/task/model/attachment";
import { knownWord } from "#lib/platform/known-word";
import { assert } from "#lib/platform/result";
import type { Digest } from "#lib/task/model/task";
import { type Db, query, type Store, type Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { newId } from "#lib/db/new-id";
import { unlessLost } from "#lib/db/archived";
import { openArchivedBytes, openText, sealBytes, sealText } from "#lib/db/sealed";

type Place = { readonly taskId: string; readonly practiceId: string };
type OfRevision = Place & { readonly revision: number };

/** The files of a revision: those that are new to the task with their bytes, and all of them in their order. */
export type RevisionFiles = OfRevision & {
  readonly received: readonly ReceivedFile[];
  readonly list: readonly Digest[];
  readonly at: Date;
};

/** A file of a task, and where it stands in the revision asked about; nowhere where that revision dropped it. */
export type TaskFile = Attachment & { readonly position: number | undefined };

type FileRow = {
  id: string;
  sha256: Digest;
  content_type: string;
  size: number;
  name: Uint8Array | null;
  since: number;
  position: number | null;
};

const fileColumns = `a.id, a.sha256, a.content_type, a.size, a.name,
  (SELECT min(r.revision) FROM revision_attachment r WHERE r.task_id = a.task_id AND r.sha256 = a.sha256) AS since,
  ra.position`;

const taskFilesText = `
  SELECT ${fileColumns} FROM attachment a
    LEFT JOIN revision_attachment ra ON ra.task_id = a.task_id AND ra.sha256 = a.sha256 AND ra.revision = $3
   WHERE a.task_id = $1::uuid AND a.practice_id = $2
     AND EXISTS (SELECT FROM revision_attachment r WHERE r.task_id = a.task_id AND r.sha256 = a.sha256) ORDER BY ra.position NULLS LAST, a.created_at, a.id`;

/** Every file a revision of a task ever had, those of this one first and in their order; no letter of a payer is among them. */
export async function loadTaskFiles(db: Db, of: OfRevision): Promise<readonly TaskFile[]> {
  const values = [of.taskId, of.practiceId, of.revision];
  const rows = await query<FileRow>(db, { name: "task-files", text: taskFilesText, values });
  return rows.map((row) => ({ ...rowToAttachment(db, row, of), position: row.position ?? undefined }));
}

/** The files of one revision, in their order. */
export async function loadAttachments(db: Db, of: OfRevision): Promise<readonly Attachment[]> {
  const files = await loadTaskFiles(db, of);
  return files.flatMap(({ position, ...file }) => (position === undefined ? [] : [file]));
}

type BytesRow = { id: string; sha256: Digest; bytes: Uint8Array };

const bytesText = `SELECT id, sha256, bytes FROM attachment
  WHERE task_id = $1::uuid AND practice_id = $2 AND sha256 = ANY ($3::text[])`;

type Files = Place & { readonly digests: readonly Digest[] };

/** The bytes of these files of a task, by digest. */
async function loadBytes(db: Db, { practiceId, ...of }: Files): Promise<ReadonlyMap<Digest, Uint8Array>> {
  const rows = await bytesRows(db, { practiceId, ...of });
  return new Map(
    await Promise.all(rows.map(async (row) => [row.sha256, await openFile(db, row, practiceId)] as const)),
  );
}

/** The same, without those that the archive lost. */
export async function loadBytesLeft(db: Db, { practiceId, ...of }: Files): Promise<ReadonlyMap<Digest, Uint8Array>> {
  const files = (await bytesRows(db, { practiceId, ...of })).map(async (row) => {
    const bytes = await unlessLost(openFile(db, row, practiceId));
    return bytes === undefined ? [] : [[row.sha256, bytes] as const];
  });
  return new Map((await Promise.all(files)).flat());
}

async function bytesRows(db: Db, { taskId, practiceId, digests }: Files): Promise<readonly BytesRow[]> {
  if (digests.length === 0) return [];
  return query<BytesRow>(db, { name: "file-bytes", text: bytesText, values: [taskId, practiceId, digests] });
}

/** The same files with their bytes; those just received need not be read. */
export async function openAttachments(
  db: Db,
  { list, received, ...place }: Place & Pick<RevisionFiles, "received"> & { readonly list: readonly Attachment[] },
): Promise<readonly OpenAttachment[]> {
  const brought = new Map(received.map(({ sha256, bytes }) => [sha256, bytes]));
  const digests = list.map(({ sha256 }) => sha256).filter((sha256) => !brought.has(sha256));
  const kept = await loadBytes(db, { ...place, digests });
  return list.map((file) => {
    const bytes = brought.get(file.sha256) ?? kept.get(file.sha256);
    assert(bytes?.length === file.size, "a file that is named is kept whole");
    return { ...file, bytes };
  });
}

/** One file of a task of these practices, with its bytes and the practice; undefined for anything else. */
export async function findAttachment(
  store: Store,
  { taskId, sha256, practices }: { taskId: string; sha256: string; practices: readonly string[] },
): Promise<{ practiceId: string; file: OpenAttachment } | undefined> {
  // Postgres fails on text that it cannot store, such as a NUL, so nothing else is looked for.
  if (!isUuid(taskId) || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const row = await store.prisma.attachment.findFirst({
    where: { taskId, sha256, practiceId: { in: [...practices] } },
    include: { revisions: { orderBy: { revision: "asc" }, take: 1 } },
  });
  if (!row) return undefined;
  const { id, practiceId, size, name } = row;
  const file = {
    sha256,
    contentType: knownWord(attachmentTypes, row.contentType, "attachment.content_type"),
    size,
    name: name ? openText(store, "attachment.name", { row: id, practiceId }, name) : undefined,
    since: row.revisions[0]?.revision ?? 0,
    bytes: await openFile(store, { id, sha256, bytes: row.bytes }, practiceId),
  };
  return { practiceId, file };
}

const keepText = `INSERT INTO attachment (id, task_id, practice_id, sha256, content_type, size, name, bytes, created_at)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6::int, $7::bytea, $8::bytea, $9::timestamptz)
  ON CONFLICT (task_id, sha256) DO NOTHING`;

type NewFiles = Omit<RevisionFiles, "list" | "revision">;

/** Stores files with their task; one that it already has stays unchanged. */
export async function keepFiles(db: Tx, files: NewFiles): Promise<void> {
  for (const values of fileRows(db, files)) await db.$executeRawUnsafe(keepText, ...values);
}

/** Stores the files of a new task, on a connection whose transaction the caller has begun. */
export async function keepFirstFiles(client: PoolClient, store: Store, files: NewFiles): Promise<void> {
  for (const values of fileRows(store, files)) await client.query(keepText, values);
}

function fileRows(db: Db, { taskId, practiceId, received, at }: NewFiles): unknown[][] {
  return received.map(({ sha256, contentType, size, name, bytes }) => {
    const of = { row: newId(), practiceId };
    const sealedName = name === undefined ? null : sealText(db, "attachment.name", of, name);
    const sealed = sealBytes(db, "attachment.bytes", of, bytes);
    return [of.row, taskId, practiceId, sha256, contentType, size, sealedName, sealed, at];
  });
}

const listText = `INSERT INTO revision_attachment (task_id, revision, position, practice_id, sha256)
  SELECT $1::uuid, $2::int, position - 1, $3, sha256 FROM unnest($4::text[]) WITH ORDINALITY AS listed (sha256, position)`;

/** Stores which of its task's files a revision has. */
export async function listFiles(db: Tx, files: RevisionFiles): Promise<void> {
  if (files.list.length > 0) await db.$executeRawUnsafe(listText, ...listValues(files));
}

/** Stores which files the first revision of a new task has, on the connection of `keepFirstFiles`. */
export async function listFirstFiles(client: PoolClient, files: RevisionFiles): Promise<void> {
  if (files.list.length > 0) await client.query(listText, listValues(files));
}

function listValues({ taskId, revision, practiceId, list }: RevisionFiles): unknown[] {
  return [taskId, revision, practiceId, [...list]];
}

function rowToAttachment(db: Db, row: FileRow, { practiceId }: Pick<Place, "practiceId">): Attachment {
  return {
    sha256: row.sha256,
    contentType: knownWord(attachmentTypes, row.content_type, "attachment.content_type"),
    size: row.size,
    name: row.name ? openText(db, "attachment.name", { row: row.id, practiceId }, row.name) : undefined,
    since: row.since,
  };
}

/** The digest is in the open and on every gate, so it also shows a file that was sealed in another's place. */
async function openFile(db: Db, { id, sha256, bytes }: BytesRow, practiceId: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await openArchivedBytes(db, "attachment.bytes", { row: id, practiceId }, bytes);
  assert(createHash("sha256").update(file).digest("hex") === sha256, "a stored file is the one its digest names");
  return file;
}
