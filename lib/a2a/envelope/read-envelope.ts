import type { CallEnvelope, CallJson } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";
import { paramsIssues } from "#lib/a2a/params/parse-params";
import type { RequestId } from "#lib/platform/http/reply";
import type { Finding } from "./inspect.ts";

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

function isTwiceAtRoot({ what, path }: Finding): boolean {
  return what === "twice" && !path.includes("/", 1);
}

function isInexactId({ what, path }: Finding): boolean {
  return what === "inexact" && path === "/id";
}

function refuse(id: RequestId | undefined, problem: string): CallError {
  return { fault: "not-a-request", id, data: { problem } };
}
