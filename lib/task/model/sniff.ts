import { messageProblems } from "#lib/messages/problems/agent";
import type { AttachmentType } from "./attachment.ts";
import { outlineOf } from "./xml-outline.ts";

/** What the bytes are, judged by themselves. */
export type SniffResult = { readonly type: AttachmentType } | { readonly problem: string };

/** How each binary kind begins (ISO 32000-2 7.5.2, PNG 5.2, ITU-T T.81 B.1, TIFF 6.0 section 2 and BigTIFF). */
const signatures: readonly (readonly [AttachmentType, readonly number[]])[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/tiff", [0x49, 0x49, 0x2a, 0x00]],
  ["image/tiff", [0x4d, 0x4d, 0x00, 0x2a]],
  ["image/tiff", [0x49, 0x49, 0x2b, 0x00]],
  ["image/tiff", [0x4d, 0x4d, 0x00, 0x2b]],
];

// A form feed ends a page in many printed reports.
const controls = /[^\P{Cc}\t\n\f\r]/u;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Detects the type of a file from its bytes alone. XML must be UTF-8 without a document type declaration, and so
 * without entities of its own; text must be UTF-8 without control characters. What may be dangerous to open, such as
 * scripts in a PDF, is not refused if a payer accepts it.
 */
export function sniff(bytes: Uint8Array): SniffResult {
  if (bytes.length === 0) return { problem: messageProblems.noBytes };
  const known = signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (known) return { type: known[0] };
  const text = decode(bytes);
  if (text === undefined || controls.test(text)) return { problem: messageProblems.unknownFileType };
  return sniffText(text);
}

function sniffText(text: string): SniffResult {
  switch (outlineOf(text)) {
    case "document":
      return { type: "application/xml" };
    case "document-type":
      return { problem: messageProblems.xmlWithDocumentType };
    case "other-encoding":
      return { problem: messageProblems.xmlNotUtf8 };
    case "unfinished":
      return { problem: messageProblems.xmlUnfinished };
    case "none":
      return { type: "text/plain" };
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const synonyms: Readonly<Record<string, AttachmentType>> = {
  "application/x-pdf": "application/pdf",
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/tif": "image/tiff",
  "image/x-tiff": "image/tiff",
  "text/xml": "application/xml",
};

/** Media types that say nothing about the content (RFC 2046, 4.5.1). */
const undeclared: readonly string[] = ["", "application/octet-stream"];

/**
 * Whether a file of this type may be declared as that media type. Parameters are ignored, and clinical documents are
 * XML under any `application/…+xml`.
 */
export function isDeclaredAs(type: AttachmentType, declared: string | undefined): boolean {
  const [essence = ""] = (declared ?? "").split(";");
  const name = essence.trim().toLowerCase();
  if (undeclared.includes(name) || name === type || synonyms[name] === type) return true;
  return type === "application/xml" && /^application\/[a-z0-9.-]+\+xml$/.test(name) && name !== "application/xhtml+xml";
}
