import type { Refusal } from "#lib/task/refusal";

/** Every reason for which a call gets an error instead of a task. */
export type Fault =
  | "method-not-allowed"
  | "unsupported-media-type"
  | "body-too-large"
  | "body-too-slow"
  | "not-http"
  | "not-json"
  | "not-a-request"
  | "no-credential"
  | "rate-exceeded"
  | "busy"
  | "recovering"
  | "unknown-method"
  | "invalid-params"
  | "not-authorised"
  | "not-found"
  | "not-withdrawable"
  | "out-of-state"
  | "internal";

type Told = {
  readonly http: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * What the client is told, in the order of the ladder. The codes are the
 * interface document's; -32002 and -32004 are A2A's, -32000 and -32603 JSON-RPC's.
 */
export const faults: Readonly<Record<Fault, Told>> = {
  "method-not-allowed": { http: 405, code: -32600, message: "Invalid request", headers: { allow: "POST" } },
  "unsupported-media-type": { http: 415, code: -32600, message: "Invalid request" },
  "body-too-large": { http: 413, code: -32600, message: "Invalid request" },
  "body-too-slow": { http: 408, code: -32600, message: "Invalid request" },
  "not-http": { http: 400, code: -32600, message: "Invalid request" },
  // Not 200: A2A clients take a 200 with a null id for a mismatch and hide the error.
  "not-json": { http: 400, code: -32600, message: "Invalid request" },
  "not-a-request": { http: 200, code: -32600, message: "Invalid request" },
  "no-credential": { http: 401, code: -32003, message: "Not authorised", headers: { "www-authenticate": "Bearer" } },
  "rate-exceeded": { http: 429, code: -32000, message: "Too many requests" },
  busy: { http: 503, code: -32000, message: "The service is busy" },
  recovering: { http: 503, code: -32000, message: "The service is being recovered" },
  "unknown-method": { http: 200, code: -32601, message: "Method not found" },
  "invalid-params": { http: 200, code: -32602, message: "Invalid params" },
  "not-authorised": { http: 200, code: -32003, message: "Not authorised" },
  "not-found": { http: 200, code: -32001, message: "Task not found" },
  "not-withdrawable": { http: 200, code: -32002, message: "Task cannot be canceled" },
  "out-of-state": { http: 200, code: -32004, message: "This operation is not supported" },
  internal: { http: 200, code: -32603, message: "Internal error" },
};

/** An error about to be told: which, and the `data` that goes with it. */
export type CallError = {
  readonly fault: Fault;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** The request's id where it was already readable. */
  readonly id?: RequestId | undefined;
  readonly retryAfterS?: number | undefined;
};

export type RequestId = string | number;

/** When an agent may try again where the record is being recovered: in 60 s. */
const recoveringS = 60;

type TellAs<Type extends Refusal["type"]> = (refusal: Extract<Refusal, { type: Type }>) => CallError;

/** How each refusal of a verb is told. What only people and the worker can meet here is a bug of ours. */
const refusals: { readonly [Type in Refusal["type"]]: TellAs<Type> } = {
  "not-authorised": () => ({ fault: "not-authorised" }),
  "not-found": () => ({ fault: "not-found" }),
  invalid: ({ issues }) => ({ fault: "invalid-params", data: { issues } }),
  "not-withdrawable": ({ state, use }) => ({ fault: "not-withdrawable", data: { state, use } }),
  "out-of-state": ({ state }) => ({ fault: "out-of-state", data: { state } }),
  "already-decided": () => ({ fault: "internal" }),
  changed: () => ({ fault: "internal" }),
  blocked: () => ({ fault: "internal" }),
  warned: () => ({ fault: "internal" }),
  stale: () => ({ fault: "internal" }),
  "gate-expired": () => ({ fault: "internal" }),
  "needs-adoption": () => ({ fault: "internal" }),
  "owns-channel": () => ({ fault: "internal" }),
  "released-already": () => ({ fault: "internal" }),
  "not-released": () => ({ fault: "internal" }),
  "key-reused": () => ({ fault: "internal" }),
  "no-owner": () => ({ fault: "internal" }),
  "proof-needed": () => ({ fault: "internal" }),
  "record-stopped": () => ({ fault: "recovering", retryAfterS: recoveringS }),
  "release-too-old": () => ({ fault: "internal" }),
  "not-claimable": () => ({ fault: "internal" }),
  "attempt-superseded": () => ({ fault: "internal" }),
};

/** Total by type: a new refusal does not compile until it is said what agents are told of it. */
export function refusalToFault(refusal: Refusal): CallError {
  // Safe because the table maps each type to the function for exactly that refusal.
  return (refusals[refusal.type] as (refusal: Refusal) => CallError)(refusal);
}
