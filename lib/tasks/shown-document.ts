import { createHash } from "node:crypto";

/** Base64 this long is a file, and nothing a person reads. In characters. */
const readableCharsMax = 4_096;

const files = new RegExp(`[A-Za-z0-9+/]{${readableCharsMax},}={0,2}`, "g");

/**
 * A document as a page shows it: its exact text, but that each file in it in
 * base64 stands as its length and SHA-256, so that a page stays readable.
 * `files` is how many stand so.
 */
export function shownDocument(body: Uint8Array): { readonly text: string; readonly files: number } {
  let count = 0;
  const text = Buffer.from(body).toString("utf8");
  const shown = text.replaceAll(files, (base64) => {
    count += 1;
    const bytes = Buffer.from(base64, "base64");
    const digest = createHash("sha256").update(bytes).digest("hex");
    return `[base64 of ${bytes.length} bytes, SHA-256 ${digest}]`;
  });
  return { text: shown, files: count };
}
