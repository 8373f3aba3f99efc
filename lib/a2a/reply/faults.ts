import {
  busyError,
  helpOf,
  internalError,
  invalidRequest,
  replyError,
  type Reply,
  type RequestId,
} from "#lib/platform/http/reply";
import type { Full } from "#lib/a2a/admit/load";
import type { Refusal } from "#lib/task/refusal";

/** Every reason why a call gets an error instead of a task. */
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
  | "unreadable"
  | "internal";

type FaultReply = {
  readonly http: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * The reply of each fault, in the order of the checks. The codes are from the interface document; -32002 and -32004 are
 * from A2A, -32000 and -32603 from JSON-RPC.
 */
export const faults: Readonly<Record<Fault, FaultReply>> = {
  "method-not-allowed": { http: 405, ...invalidRequest, headers: { allow: "POST" } },
  "unsupported-media-type": { http: 415, ...invalidRequest },
  "body-too-large": { http: 413, ...invalidRequest },
  "body-too-slow": { http: 408, ...invalidRequest },
  "not-http": { http: 400, ...invalidRequest },
  // Not 200, because A2A clients treat a 200 with a null id as a mismatch and hide the error.
  "not-json": { http: 400, ...invalidRequest },
  "not-a-request": { http: 200, ...invalidRequest },
  "no-credential": { http: 401, code: -32003, message: "Not authorised", headers: { "www-authenticate": "Bearer" } },
  "rate-exceeded": { http: 429, code: -32000, message: "Too many requests" },
  busy: { http: 503, ...busyError },
  recovering: { http: 503, code: -32000, message: "The service is being recovered" },
  "unknown-method": { http: 200, code: -32601, message: "Method not found" },
  "invalid-params": { http: 200, code: -32602, message: "Invalid params" },
  "not-authorised": { http: 200, code: -32003, message: "Not authorised" },
  "not-found": { http: 200, code: -32001, message: "Task not found" },
  "not-withdrawable": { http: 200, code: -32002, message: "Task cannot be canceled" },
  "out-of-state": { http: 200, code: -32004, message: "This operation is not supported" },
  // Not 503, because the same message again fails in the same way until somebody brings back what is lost.
  unreadable: { http: 200, code: -32004, message: "This operation is not supported" },
  internal: { http: 200, ...internalError },
};

/** The error of a call, with the `data` of its reply. */
export type CallError = {
  readonly fault: Fault;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** The id of the request, if it was readable. */
  readonly id?: RequestId | undefined;
  readonly retryAfterS?: number | undefined;
  /** Its channel has made all the calls that it may make in a second. */
  readonly isRate?: true | undefined;
};

/** The fault of a call that found no room. */
export function faultOfFull({ full, ...limit }: Full): CallError {
  return { fault: full, ...limit };
}

/** Whether a call with this HTTP status was turned away for want of room, so that nothing of it counts as stored. */
export function isTurnedAway(status: number): boolean {
  return status === 429 || status === 503;
}

/** The uniform denial: nothing in its body may differ from one to the next. */
const denials: ReadonlySet<Fault> = new Set(["no-credential", "not-authorised"]);

/** Names the request, and the page that explains errors where the service has one. */
export type FaultNames = { readonly requestId: string; readonly help?: string | undefined };

/** The JSON-RPC error reply of a fault. Its `data` names the request and where help is, except in the uniform denial. */
export function replyFault({ fault, data: given, id, retryAfterS }: CallError, { requestId, help }: FaultNames): Reply {
  const { http: status, code, message, headers } = faults[fault];
  const data = denials.has(fault) ? given : { ...given, requestId, help: helpOf(help, { code, message }) };
  const later = retryAfterS === undefined ? undefined : { "retry-after": String(retryAfterS) };
  return replyError({ status, error: { code, message, data }, id, headers: { ...headers, ...later } });
}

/** After how many seconds an agent may try again while the audit log is being recovered. */
const recoveringS = 60;

/** And while no standby confirms what is accepted. */
const standbyS = 10;

type ToFault<Type extends Refusal["type"]> = (refusal: Extract<Refusal, { type: Type }>) => CallError;

/** The fault of each refusal of a verb. A refusal that only people and the worker can get is a bug here. */
const refusals: { readonly [Type in Refusal["type"]]: ToFault<Type> } = {
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
  "edited-it": () => ({ fault: "internal" }),
  "released-already": () => ({ fault: "internal" }),
  "not-released": () => ({ fault: "internal" }),
  "key-reused": () => ({ fault: "internal" }),
  "no-owner": () => ({ fault: "internal" }),
  "proof-needed": () => ({ fault: "internal" }),
  "record-stopped": () => ({ fault: "recovering", retryAfterS: recoveringS }),
  "not-replicated": () => ({ fault: "busy", retryAfterS: standbyS }),
  "release-too-old": () => ({ fault: "internal" }),
  "not-claimable": () => ({ fault: "internal" }),
  "attempt-superseded": () => ({ fault: "internal" }),
};

/** A new type of refusal does not compile until the table above has its fault. */
export function refusalToFault(refusal: Refusal): CallError {
  // Safe because the table maps each type to the function for that refusal.
  return (refusals[refusal.type] as (refusal: Refusal) => CallError)(refusal);
}
