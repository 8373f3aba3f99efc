import { foreignFileHeaders } from "#components/paper/foreign-file-headers";
import type { Attachment, AttachmentType } from "#lib/task/model/attachment";
import { savedName } from "#lib/task/model/file-name";

type FileDisplay = { readonly as: string; readonly inline: boolean; readonly policy: string };

// Not every Chromium starts its viewer in a sandboxed document; the viewer keeps what is in a PDF apart from us.
const viewer = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
const sandboxed = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; frame-ancestors 'self'";

/** How a browser is told to take each kind: XML and text as the characters they are, TIFF, which it cannot show, to save. */
const shownByType: Readonly<Record<AttachmentType, FileDisplay>> = {
  "application/pdf": { as: "application/pdf", inline: true, policy: viewer },
  "image/png": { as: "image/png", inline: true, policy: sandboxed },
  "image/jpeg": { as: "image/jpeg", inline: true, policy: sandboxed },
  "image/tiff": { as: "image/tiff", inline: false, policy: sandboxed },
  "application/xml": { as: "text/plain; charset=utf-8", inline: true, policy: sandboxed },
  "text/plain": { as: "text/plain; charset=utf-8", inline: true, policy: sandboxed },
};

/** Nothing of a file is ever active in our origin, kept by a cache or taken for another kind than it is. */
export function headersOf(file: Attachment): Record<string, string> {
  const { as, inline, policy } = shownByType[file.contentType];
  return {
    "content-type": as,
    "content-length": String(file.size),
    "content-disposition": `${inline ? "inline" : "attachment"}; ${fileNameParameters(savedName(file))}`,
    "content-security-policy": policy,
    ...foreignFileHeaders,
  };
}

/** RFC 6266 with RFC 8187's encoding, and for old readers the same in ASCII. */
function fileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
