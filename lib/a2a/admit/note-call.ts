import { readCredential } from "#lib/channel/credential";
import { askedOf } from "./asked-of.ts";
import { bearerOf } from "./bearer.ts";
import type { CallAdmission, CallArrival, CallEnvelope } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { now } from "#lib/platform/now";

/** Enters a call that was answered into the book: as let in, or as denied, whose reason is found out later. */
export function noteCall(
  call: CallArrival & Partial<CallEnvelope & CallAdmission>,
  refused: CallError | undefined,
): void {
  const { arrival, deps, actor, method, params } = call;
  const [at, { address }] = [now(), arrival];
  const fault = refused?.fault;
  if (fault === "no-credential") {
    const bearer = bearerOf(arrival.header("authorization"));
    const key = bearer === undefined ? undefined : readCredential(deps.store, bearer);
    return deps.book.denied({ at, address, keyId: key?.id, secretHash: key?.secretHash });
  }
  if (!actor) return;
  const by = { at, channelId: actor.id, keyId: actor.keyId };
  if (fault === "rate-exceeded") return deps.book.denied({ ...by, address, overLimit: true });
  if (fault === "not-authorised") return deps.book.denied({ ...by, address, ...askedOf(method, params) });
  deps.book.called(by);
}
