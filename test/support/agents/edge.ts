import { pino } from "pino";
import type { Deps } from "#lib/a2a/call";
import { openCallBook } from "#lib/a2a/admit/call-book";
import { createLoad, type LoadOptions } from "#lib/a2a/admit/load";
import { serveA2a } from "#lib/a2a/serve";
import { type Store, unscoped } from "#lib/db/db";
import { createRecordCache, type RecordCache } from "#lib/task/record-cache";

/** The interface document's smallest service review. */
const smallReview = { payer: { id: "60054" }, procedures: [{ code: "72148" }] };

/** The endpoint's answer, as far as a client can see it. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test reads of a reply is up to the test
  readonly json: any;
};

export type Lines = Record<string, unknown>[];

/** What the endpoint needs, with its log kept in `lines`. A store that must not be touched may be left out. */
export function edgeDeps(
  given?: Store,
  options: Pick<LoadOptions, "inFlightMax" | "bytesPerDay"> = {},
): Deps & { readonly lines: Lines; readonly records: RecordCache } {
  // As in the server, what a call reaches is named by its key and never by the store.
  const store = given ? unscoped(given) : untouchable();
  const lines: Lines = [];
  const log = pino(
    { level: "debug" },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return {
    store,
    load: createLoad({ store, ...options }),
    book: openCallBook(store, (error) => log.error({ err: error })),
    records: createRecordCache(),
    log,
    lines,
  };
}

export type Requests = {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly method?: string;
};

/** One call over a real Request and Response. A body that is no text or bytes is sent as its JSON. */
export async function callEdge(
  deps: Deps,
  body: unknown,
  { key, headers = {}, method = "POST" }: Requests = {},
): Promise<Answer> {
  const bytes = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const init = { method, headers: { "content-type": "application/json", ...authorization, ...headers } };
  const hasBody = method !== "GET" && method !== "HEAD";
  // Safe because a Uint8Array over its own buffer is a body, which lib.dom only says of narrower types.
  const request = new Request("http://localhost/api/a2a", hasBody ? { ...init, body: bytes as BodyInit } : init);
  const response = await serveA2a(request, deps);
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text, json: JSON.parse(text) };
}

/** The same answer without the name of its request, the one part that differs from answer to answer. */
export function nameless({ status, headers: { "x-request-id": requestId, ...headers }, text }: Answer) {
  return { status, headers, text: requestId ? text.replaceAll(requestId, "<request>") : text };
}

export function rpc(method: string, params?: unknown, id: unknown = "1"): object {
  return { jsonrpc: "2.0", id, method, params };
}

type IntakeCall = {
  readonly practiceId: string;
  readonly review?: unknown;
  readonly data?: object;
  readonly message?: object;
  readonly parts?: readonly object[];
  readonly params?: object;
};

/** The params of an intake; what is given is laid over the smallest one. */
export function intakeParams({
  practiceId,
  review = smallReview,
  data,
  message,
  parts = [],
  params,
}: IntakeCall): object {
  const dataPart = { kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview: review, ...data } };
  return { message: { role: "user", parts: [dataPart, ...parts], ...message }, ...params };
}

function untouchable(): Store {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error("The store was touched.");
      },
    },
  );
  // Safe because any use of it fails the test that made it.
  return trap as Store;
}
