import { messageProblems } from "#lib/messages/problems/agent";
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

/** A file of a revision; its bytes are stored apart, sealed. `size` in bytes. */
export type Attachment = {
  readonly sha256: Digest;
  readonly contentType: AttachmentType;
  readonly size: number;
  readonly name?: string | undefined;
  /** The first revision that had it. */
  readonly since: number;
};

/** An attachment with its bytes, to be shown or submitted. */
export type OpenAttachment = Attachment & { readonly bytes: Uint8Array };

/** A file as a message brought it. Its type follows from its bytes, whatever was declared. */
export type ReceivedFile = Omit<OpenAttachment, "since">;

/** Largest single file, in bytes. */
export const fileBytesMax = 10 * 1024 * 1024;

/** The most files of one message. */
export const filesPerMessageMax = 10;

/** The most files of one revision, including those carried over. */
export const filesPerRevisionMax = 20;

/** The most bytes of all files of one revision, and so of one message. */
export const filesBytesMax = 25 * 1024 * 1024;

/** Why a revision may not have these files: too many, or too many bytes. Undefined if it may. */
export function tooMuch(files: readonly Pick<Attachment, "size">[]): string | undefined {
  if (files.length > filesPerRevisionMax) return messageProblems.filesPerRevision(filesPerRevisionMax);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes > filesBytesMax ? messageProblems.fileBytesPerRevision(filesBytesMax) : undefined;
}
