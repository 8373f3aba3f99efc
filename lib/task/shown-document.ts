import { createHash } from "node:crypto";
import type { Digest } from "#lib/task/model/task";

/** Shorter base64 is shown even if it is a file. In characters. */
const readableCharsMax = 4_096;

/** A JSON member `data` that is only base64, as in FHIR's Attachment. Inside a text its quotes would be escaped. */
const members = /(?<!\\)"data":"([A-Za-z0-9+/]+={0,2})"/g;

/**
 * A document as a page shows it: the exact text, but with the length and SHA-256 of these files in place of their
 * base64, so that the page stays readable. Only base64 that is byte for byte one of the files is replaced; any other
 * long text is shown. `files` is how many of them it holds, `shortened` how many were replaced.
 */
export function shownDocument(
  body: Uint8Array,
  files: readonly { readonly sha256: Digest }[],
): { readonly text: string; readonly files: number; readonly shortened: number } {
  let count = 0;
  let shortened = 0;
  const known = new Set<string>(files.map(({ sha256 }) => sha256));
  const text = Buffer.from(body).toString("utf8");
  if (known.size === 0) return { text, files: 0, shortened: 0 };
  const shown = text.replaceAll(members, (member, base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    const digest = createHash("sha256").update(bytes).digest("hex");
    // Other base64 could decode to the same bytes and would be submitted as it is.
    if (!known.has(digest) || bytes.toString("base64") !== base64) return member;
    count += 1;
    if (base64.length < readableCharsMax) return member;
    shortened += 1;
    return `"data":"[base64 of ${bytes.length} bytes, SHA-256 ${digest}]"`;
  });
  return { text: shown, files: count, shortened };
}
