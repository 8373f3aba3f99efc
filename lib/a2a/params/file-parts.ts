import { z } from "zod";
import { fileProblems } from "#lib/messages/problems/agent";
import { problems } from "#lib/messages/problems/field";
import { fileBytesMax, filesBytesMax, filesPerMessageMax, type ReceivedFile } from "#lib/task/model/attachment";
import { cleanName } from "#lib/task/model/file-name";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isDeclaredAs, sniff } from "#lib/task/model/sniff";
import type { Digest } from "#lib/task/model/task";
import type { Issue } from "#lib/task/refusal";
import { sha256 } from "./canonical.ts";
import { fileNameCharsMax, mimeTypeCharsMax } from "#lib/a2a/admit/limits";

const shortText = (charsMax: number) => z.string().max(charsMax, problems.charactersMax(charsMax)).optional();

/** The FilePart of A2A with its bytes in base64. A URI in it is never fetched. */
export const filePartSchema = z.looseObject({
  kind: z.literal("file"),
  file: z.looseObject({
    bytes: z.string(),
    mimeType: shortText(mimeTypeCharsMax),
    name: shortText(fileNameCharsMax),
    uri: z.undefined(fileProblems.neverFetched).optional(),
  }),
});

type Part = { readonly kind: string };
type FilePart = z.output<typeof filePartSchema>;

/** The files of a message by the index of their part; or an issue for every file that is refused. */
export function readFiles(
  parts: readonly (Part | FilePart)[],
): Result<ReadonlyMap<number, ReceivedFile>, readonly Issue[]> {
  const placed = parts.flatMap((part, index) => (isFile(part) ? [{ part, index }] : []));
  const path = "/message/parts";
  if (placed.length > filesPerMessageMax) return refuse([{ path, problem: fileProblems.filesMax(filesPerMessageMax) }]);
  const read = placed.map(({ part, index }) => [index, readFile(part, `${path}/${index}/file`)] as const);
  const issues = read.flatMap(([, file]) => (file.ok ? [] : [file.refusal]));
  if (issues.length > 0) return refuse(issues);
  const files = new Map(read.flatMap(([index, file]) => (file.ok ? [[index, file.value]] : [])));
  const bytes = distinctFiles(files).reduce((sum, { size }) => sum + size, 0);
  if (bytes > filesBytesMax) return refuse([{ path, problem: fileProblems.filesBytesMax(filesBytesMax) }]);
  return ok(files);
}

/** The files in the order of the message. The same bytes sent twice are one file, under its first name. */
export function distinctFiles(files: ReadonlyMap<number, ReceivedFile>): readonly ReceivedFile[] {
  const list = [...files.values()];
  return list.filter(({ sha256: digest }, index) => list.findIndex((file) => file.sha256 === digest) === index);
}

function isFile(part: Part | FilePart): part is FilePart {
  return part.kind === "file";
}

function readFile({ file }: FilePart, path: string): Result<ReceivedFile, Issue> {
  const bytes = decodeBase64(file.bytes);
  if (typeof bytes === "string") return refuse({ path: `${path}/bytes`, problem: bytes });
  const sniffed = sniff(bytes);
  if ("problem" in sniffed) return refuse({ path: `${path}/bytes`, problem: sniffed.problem });
  const contentType = sniffed.type;
  if (!isDeclaredAs(contentType, file.mimeType))
    return refuse({ path: `${path}/mimeType`, problem: fileProblems.otherType(contentType) });
  return ok({ sha256: sha256(bytes), contentType, size: bytes.length, name: cleanName(file.name), bytes });
}

/** Decodes RFC 4648, section 4, strictly, so that the same bytes have only one text; or returns what is wrong with it. */
function decodeBase64(text: string): Uint8Array | string {
  if (text.length > Math.ceil(fileBytesMax / 3) * 4) return fileProblems.bytesMax(fileBytesMax);
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) return fileProblems.base64;
  return bytes.length > fileBytesMax ? fileProblems.bytesMax(fileBytesMax) : bytes;
}

/** Replaces a file's bytes in a stored message. */
type Reference = { readonly sha256: Digest; readonly size: number };
type KeptPart = Part & { readonly file: { readonly bytes: Reference } };

/**
 * The message as it is stored and compared, with the digest and size of each file in place of its bytes. Bytes are sent as
 * a string and replaced by an object, so two different messages never have the same stored form.
 */
export function withReferences(message: object, files: ReadonlyMap<number, ReceivedFile>): object {
  if (files.size === 0) return message;
  return withParts(message, (part, index) => {
    const found = files.get(index);
    if (!found) return part;
    const bytes: Reference = { sha256: found.sha256, size: found.size };
    // Safe because this part was read as a file.
    return { ...part, file: { ...(part as FilePart).file, bytes } };
  });
}

/** The bytes of a file; undefined when the reply leaves them out. */
export type BytesOf = (digest: Digest) => Uint8Array | undefined;

/**
 * The stored message with the bytes of its files, as it was sent. A file whose bytes are left out is named by its digest
 * (RFC 6920, section 3) and its size.
 */
export function withBytes(message: object, bytesOf: BytesOf): object {
  return withParts(message, (part) => {
    if (part.kind !== "file") return part;
    // Safe because only `withReferences` writes the file parts of stored messages.
    const { bytes: reference, ...file } = (part as KeptPart).file;
    const bytes = bytesOf(reference.sha256);
    if (bytes) return { ...part, file: { ...file, bytes: Buffer.from(bytes).toString("base64") } };
    const uri = `ni:///sha-256;${Buffer.from(reference.sha256, "hex").toString("base64url")}`;
    return { ...part, file: { ...file, uri, ...reference } };
  });
}

function withParts(message: object, change: (part: Part, index: number) => object): object {
  // Safe because the schema has accepted the message.
  const { parts } = message as { readonly parts: readonly Part[] };
  return { ...message, parts: parts.map(change) };
}
