import type { CallJson, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { inspect } from "./inspect.ts";

// Without `ignoreBOM` the decoder would drop a byte order mark, and the check below would not see it.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Check 2: strict UTF-8 without a byte order mark, JSON, one object. A batch is refused. */
export function readJson({ bytes }: CallBody): CallJson | CallError {
  const text = decode(bytes);
  if (text === undefined) return { fault: "not-json", data: { problem: "The body is not UTF-8." } };
  if (text.startsWith("\ufeff"))
    return { fault: "not-json", data: { problem: "The body begins with a byte order mark." } };
  const parsed = parse(text);
  if (!parsed) return { fault: "not-json", data: { problem: "The body is not JSON." } };
  const { json } = parsed;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { fault: "not-a-request", data: { problem: "Send one request object; batches are not served." } };
  }
  return { json, findings: inspect(text) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
