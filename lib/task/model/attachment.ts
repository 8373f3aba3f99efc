import type { Change } from "./changes.ts";
import type { Digest } from "./task.ts";

/** The kinds of file that may go to a payer. */
export const attachmentTypes = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/tiff",
  "application/xml",
  "text/plain",
] as const;

export type AttachmentType = (typeof attachmentTypes)[number];

/** A file that belongs to a revision; its bytes are kept apart, sealed. `size` in bytes. */
export type Attachment = {
  readonly sha256: Digest;
  readonly contentType: AttachmentType;
  readonly size: number;
  readonly name?: string | undefined;
  /** The revision it first came with. */
  readonly since: number;
};

/** An attachment with its bytes, where they are about to be shown or sent. */
export type OpenAttachment = Attachment & { readonly bytes: Uint8Array };

/** A file as a message brought it: what its bytes are, whatever it was declared as. */
export type ReceivedFile = Omit<OpenAttachment, "since">;

/** Largest single file, in bytes. */
export const fileBytesMax = 10 * 1024 * 1024;

/** Most files of one message. */
export const filesPerMessageMax = 10;

/** Most files of one revision, those carried over included. */
export const filesPerRevisionMax = 20;

/** Most bytes of all files of one revision together, and so of one message. */
export const filesBytesMax = 25 * 1024 * 1024;

/** Why files are too many or too much for one revision; undefined when they are not. */
export function tooMuch(files: readonly Pick<Attachment, "size">[]): string | undefined {
  if (files.length > filesPerRevisionMax) return `must give a revision at most ${filesPerRevisionMax} files in all`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes > filesBytesMax ? `must give a revision at most ${filesBytesMax} bytes of files in all` : undefined;
}

/** The files that came or went between two revisions, in the form of the changes of a review. */
export function attachmentChanges(before: readonly Attachment[], after: readonly Attachment[]): readonly Change[] {
  const isIn = (list: readonly Attachment[]) => (file: Attachment) => list.some(({ sha256 }) => sha256 === file.sha256);
  return [
    ...after.filter((file) => !isIn(before)(file)).map((file) => ({ path: pathOf(file), after: wordsOf(file) })),
    ...before.filter((file) => !isIn(after)(file)).map((file) => ({ path: pathOf(file), before: wordsOf(file) })),
  ];
}

function pathOf({ sha256 }: Attachment): string {
  return `/attachments/${sha256.slice(0, 12)}`;
}

function wordsOf({ name, contentType, size }: Attachment): string {
  return [...(name === undefined ? [] : [name]), contentType, `${size} bytes`].join(", ");
}
