import { bearerOf, readCredential } from "#lib/channel/channel-key";
import { requestedAccess } from "./requested-access.ts";
import type { NamedCall } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { now } from "#lib/platform/now";

/** Counts an answered call as admitted or as denied. The reason of a denial is looked up later. */
export function noteCall(
  { call, requestId }: Pick<NamedCall, "call" | "requestId">,
  refused: CallError | undefined,
): void {
  const { arrival, deps, actor, method, params, requested = requestedAccess(method, params) } = call;
  const [at, { address }] = [now(), arrival];
  const fault = refused?.fault;
  if (fault === "no-credential") {
    const bearer = bearerOf(arrival.header("authorization"));
    const key = bearer === undefined ? undefined : readCredential(deps.store, bearer);
    return deps.book.countDenial({ requestId, at, address, keyId: key?.id, secretHash: key?.secretHash });
  }
  if (!actor) return;
  const by = { requestId, at, channelId: actor.id, keyId: actor.keyId };
  if (fault === "rate-exceeded") return deps.book.countDenial({ ...by, address, overLimit: true });
  if (fault === "not-authorised") return deps.book.countDenial({ ...by, address, ...requested });
  deps.book.countCall(by);
}
