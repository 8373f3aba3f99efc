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
