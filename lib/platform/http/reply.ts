import { faults, type CallError, type RequestId } from "#lib/a2a/reply/faults";

/** What goes back over HTTP; always JSON. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const always = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

export function replyResult(id: RequestId, result: unknown): Reply {
  return { status: 200, headers: always, body: JSON.stringify({ jsonrpc: "2.0", id, result }) };
}

/** The same fault with the same id is always the same bytes under the same headers. */
export function replyFault({ fault, data, id, retryAfterS }: CallError): Reply {
  const { http, code, message, headers } = faults[fault];
  const body = JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message, data } });
  const later = retryAfterS === undefined ? undefined : { "retry-after": String(retryAfterS) };
  return { status: http, headers: { ...always, ...headers, ...later }, body };
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers });
}
