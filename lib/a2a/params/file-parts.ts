import { z } from "zod";
import { fileBytesMax, filesBytesMax, filesPerMessageMax, type ReceivedFile } from "#lib/task/model/attachment";
import { cleanName } from "#lib/task/model/file-name";
import { ok, refuse, type Result } from "#lib/platform/result";
import { isDeclaredAs, sniff } from "#lib/task/model/sniff";
import type { Digest } from "#lib/task/model/task";
import type { Issue } from "#lib/task/refusal";
import { sha256 } from "./canonical.ts";
import { fileNameCharsMax, mimeTypeCharsMax } from "#lib/a2a/admit/limits";

const shortText = (charsMax: number) => z.string().max(charsMax, `must be at most ${charsMax} characters`).optional();

/** A2A's FilePart with its bytes in base64. What it points to elsewhere is never fetched. */
export const filePartSchema = z.looseObject({
  kind: z.literal("file"),
  file: z.looseObject({
    bytes: z.string(),
    mimeType: shortText(mimeTypeCharsMax),
    name: shortText(fileNameCharsMax),
    uri: z.undefined("is never fetched: send the bytes in base64").optional(),
  }),
});

type Part = { readonly kind: string };
type FilePart = z.output<typeof filePartSchema>;

/** The files of a message by the index of their part, or every one that will not do, by its path. */
export function readFiles(
  parts: readonly (Part | FilePart)[],
): Result<ReadonlyMap<number, ReceivedFile>, readonly Issue[]> {
  const placed = parts.flatMap((part, index) => (isFile(part) ? [{ part, index }] : []));
  const path = "/message/parts";
  if (placed.length > filesPerMessageMax)
    return refuse([{ path, problem: `must hold at most ${filesPerMessageMax} files` }]);
  const read = placed.map(({ part, index }) => [index, readFile(part, `${path}/${index}/file`)] as const);
  const issues = read.flatMap(([, file]) => (file.ok ? [] : [file.refusal]));
  if (issues.length > 0) return refuse(issues);
  const files = new Map(read.flatMap(([index, file]) => (file.ok ? [[index, file.value]] : [])));
  const bytes = eachOnce(files).reduce((sum, { size }) => sum + size, 0);
  if (bytes > filesBytesMax)
    return refuse([{ path, problem: `must hold at most ${filesBytesMax} bytes of files in all` }]);
  return ok(files);
}

/** In the order of the message; the same bytes sent twice are one file, called as it was first. */
export function eachOnce(files: ReadonlyMap<number, ReceivedFile>): readonly ReceivedFile[] {
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
    return refuse({ path: `${path}/mimeType`, problem: `is not what the bytes are, which is ${contentType}` });
  return ok({ sha256: sha256(bytes), contentType, size: bytes.length, name: cleanName(file.name), bytes });
}

/** RFC 4648, section 4, with its padding and nothing between: one text for each bytes. Or what is wrong with it. */
function decodeBase64(text: string): Uint8Array | string {
  if (text.length > Math.ceil(fileBytesMax / 3) * 4) return `must be at most ${fileBytesMax} bytes`;
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) return "must be base64 with padding and without line breaks";
  return bytes.length > fileBytesMax ? `must be at most ${fileBytesMax} bytes` : bytes;
}

/** What stands for a file's bytes in a message that is kept. */
type Reference = { readonly sha256: Digest; readonly size: number };
type KeptPart = Part & { readonly file: { readonly bytes: Reference } };

/**
 * The message as it is kept and compared: each file's bytes stand as their
 * digest and size. They were sent as a string, so no other message looks alike.
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

/** The bytes of a file, where they are told. */
export type BytesOf = (digest: Digest) => Uint8Array | undefined;

/**
 * The kept message with its files' bytes again: what was sent. A file whose bytes are not told is named instead by its
 * digest (RFC 6920, section 3), with its size.
 */
export function withBytes(message: object, bytesOf: BytesOf): object {
  return withParts(message, (part) => {
    if (part.kind !== "file") return part;
    // Safe because only `withReferences` writes file parts of kept messages.
    const { bytes: reference, ...file } = (part as KeptPart).file;
    const bytes = bytesOf(reference.sha256);
    if (bytes) return { ...part, file: { ...file, bytes: Buffer.from(bytes).toString("base64") } };
    const uri = `ni:///sha-256;${Buffer.from(reference.sha256, "hex").toString("base64url")}`;
    return { ...part, file: { ...file, uri, ...reference } };
  });
}

function withParts(message: object, change: (part: Part, index: number) => object): object {
  // Safe because only messages of the checked form come here.
  const { parts } = message as { readonly parts: readonly Part[] };
  return { ...message, parts: parts.map(change) };
}
