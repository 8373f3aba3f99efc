import type { CallEnvelope, CallJson, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";
import { paramsIssues } from "#lib/a2a/params/parse-params";
import type { RequestId } from "#lib/platform/http/reply";
import { type Finding, inspect } from "./inspect.ts";

/** Check 3: a JSON-RPC 2.0 request whose id can be returned exactly. A notification is refused because it has no id. */
export function readEnvelope({ json, findings }: CallJson): CallEnvelope | CallError {
  // Safe because `readJson` accepts only an object.
  const { jsonrpc, id, method, params } = json as Readonly<Record<string, unknown>>;
  if (findings.some(isTwiceAtRoot)) return refuse(undefined, "A member is given twice.");
  if (id === undefined && jsonrpc === "2.0" && typeof method === "string") return withoutId(method, params, findings);
  if (!isRequestId(id) || findings.some(isInexactId)) return refuse(undefined, noId);
  if (jsonrpc !== "2.0") return refuse(id, 'jsonrpc must be "2.0".');
  if (typeof method !== "string") return refuse(id, "method must be a string.");
  if (params !== undefined && (typeof params !== "object" || params === null)) {
    return refuse(id, "params must be an object.");
  }
  return { id, method, params };
}

/**
 * No id is no request of ours. Where something else is wrong as well that has a code of its own, that is said first, as
 * the official test kit of A2A asks. A call without an id is answered before its key is read, so what is said here
 * depends on nothing but its bytes.
 */
function withoutId(method: string, params: unknown, findings: readonly Finding[]): CallError {
  const row = methodNamed(method);
  if (!row) return { fault: "unknown-method", data: { problem: noId } };
  if (params !== undefined && (typeof params !== "object" || params === null)) return refuse(undefined, noId);
  const issues = paramsIssues({ findings, params, row });
  return issues.length > 0 ? { fault: "invalid-params", data: { issues, problem: noId } } : refuse(undefined, noId);
}

const noId = "id must be a string or a safe integer.";

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isTwiceAtRoot({ what, depth }: Finding): boolean {
  return what === "twice" && depth === 1;
}

function isInexactId({ what, path }: Finding): boolean {
  return what === "inexact" && path === "/id";
}

function refuse(id: RequestId | undefined, problem: string): CallError {
  return { fault: "not-a-request", id, data: { problem } };
}

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
