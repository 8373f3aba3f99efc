import { createHash } from "node:crypto";
import type { Digest } from "#lib/task/model/task";

/** Base64 shorter than this is shown even where it is a file. In characters. */
const readableCharsMax = 4_096;

/** A JSON member `data` that is nothing but base64, as FHIR's Attachment has it. Inside a text its quotes would be escaped. */
const members = new RegExp(`(?<!\\\\)"data":"([A-Za-z0-9+/]{${readableCharsMax},}={0,2})"`, "g");

/**
 * A document as a page shows it: its exact text, but that each of these files stands as its length and SHA-256 where the
 * document has its bytes in base64, so that a page stays readable. Only what is byte for byte one of them, in its place,
 * is left out: whatever else is long is shown. `files` is how many stand so.
 */
export function shownDocument(
  body: Uint8Array,
  files: readonly { readonly sha256: Digest }[],
): { readonly text: string; readonly files: number } {
  let count = 0;
  const known = new Set<string>(files.map(({ sha256 }) => sha256));
  const text = Buffer.from(body).toString("utf8");
  if (known.size === 0) return { text, files: 0 };
  const shown = text.replaceAll(members, (member, base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    const digest = createHash("sha256").update(bytes).digest("hex");
    // Other characters could decode to the same bytes, and leave in their place.
    if (!known.has(digest) || bytes.toString("base64") !== base64) return member;
    count += 1;
    return `"data":"[base64 of ${bytes.length} bytes, SHA-256 ${digest}]"`;
  });
  return { text: shown, files: count };
}
