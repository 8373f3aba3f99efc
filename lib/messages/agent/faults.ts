import type { Fault } from "#lib/a2a/reply/faults";

/** When each error comes and what an agent does about it. */
export const faultTexts: Readonly<Record<Fault, { readonly when: string; readonly mend: string }>> = {
  "method-not-allowed": { when: "An HTTP method other than POST", mend: "Send a POST." },
  "unsupported-media-type": {
    when: "A content type other than JSON",
    mend: "Send `Content-Type: application/json`.",
  },
  "body-too-large": { when: "The body is too long", mend: "Keep to the limits." },
  "body-too-slow": {
    when: "The body took longer than 10 seconds, or 25 with files",
    mend: "Send it again over a faster connection.",
  },
  "not-http": { when: "The request can't be read as HTTP", mend: "Correct the program." },
  "not-json": { when: "The body is not JSON; there is no -32700 here", mend: "Correct the program." },
  "not-a-request": {
    when: "No JSON-RPC 2.0 request with an `id`, or a batch; `data.problem` says which",
    mend: "Correct the program.",
  },
  "no-credential": {
    when: "No key, or one that is malformed, unknown, expired or revoked",
    mend: "Ask an admin for a key.",
  },
  "rate-exceeded": { when: "More calls or bytes than the channel may send", mend: "Wait for `Retry-After`." },
  busy: {
    when: "The service has too much to do; the call may have been done all the same",
    mend: "Wait for `Retry-After`, then send the same message with the same `messageId`.",
  },
  recovering: { when: "The audit log is being recovered", mend: "Wait for `Retry-After`." },
  "unknown-method": { when: "None of the three methods", mend: "Correct the program." },
  "invalid-params": {
    when: "Something in the params has a wrong form; `data.issues` lists each path and problem",
    mend: "Correct what it names.",
  },
  "not-authorised": {
    when: "The channel does not reach the practice or the task, or lacks the atom",
    mend: "Ask an admin.",
  },
  "not-found": { when: "No task has this id", mend: "Keep the `id` of the reply to the intake." },
  "not-withdrawable": {
    when: "The payer has the request or may have it, or the task has ended; `data.state` says which",
    mend: "Ask for a void, if `data.use` says so.",
  },
  "out-of-state": {
    when: "The task's state, in `data.state`, does not allow this message",
    mend: "Look when it may: see the states.",
  },
  unreadable: {
    when: "The message continues a case of which the service's archive lost a part; `data.problem` says so",
    mend: "Name `data.requestId` to whoever runs the service.",
  },
  internal: { when: "The service failed", mend: "Send the same again, with the same `messageId`." },
};
