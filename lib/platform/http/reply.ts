/** What goes back over HTTP: JSON, which may be compressed, or nothing where the status is 204. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
};

/** The id of a JSON-RPC 2.0 request. */
export type RequestId = string | number;

/** The error object of JSON-RPC 2.0, section 5.1. */
export type RpcError = {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

export const invalidRequest = { code: -32600, message: "Invalid request" } as const satisfies RpcError;
export const busyError = { code: -32000, message: "The service is busy" } as const satisfies RpcError;
export const internalError = { code: -32603, message: "Internal error" } as const satisfies RpcError;

/** Where the page with help says what this error is: its heading there, as the page's Markdown makes an id of it. */
export function helpAnchor({ code, message }: RpcError): string {
  return `Error ${code}: ${message}`
    .toLowerCase()
    .replaceAll(/[^a-z\d\s-]/g, "")
    .replaceAll(/\s/g, "-");
}

/** The address of this error's own help, where the service has a page that explains errors. */
export function helpOf(page: string | undefined, error: RpcError): string | undefined {
  return page === undefined ? undefined : `${page}#${helpAnchor(error)}`;
}

const always = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** `result` is the text of a JSON value. */
export function replyResult(id: RequestId, result: string): Reply {
  return { status: 200, headers: always, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
}

type ErrorReply = {
  readonly status: number;
  readonly error: RpcError;
  /** The id is null in the reply where the request's own could not be read. */
  readonly id?: RequestId | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The same error with the same id is always the same bytes under the same headers. */
export function replyError({ status, error: { code, message, data }, id, headers }: ErrorReply): Reply {
  const body = JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message, data } });
  return { status, headers: { ...always, ...headers }, body };
}

/** The header that names a request; the log has the same id. */
export const requestIdHeader = "x-request-id";

/** The same reply, naming the request it answers. What a client sends under this name is never repeated. */
export function named(reply: Reply, requestId: string, more?: Reply["headers"]): Reply {
  return { ...reply, headers: { ...reply.headers, ...more, [requestIdHeader]: requestId } };
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(status === noContent ? null : body, { status, headers });
}

/** HTTP's status for a reply without content, which then has no Content-Length either (RFC 9110, 8.6). */
export const noContent = 204;
