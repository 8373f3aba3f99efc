import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { bearerOf } from "./bearer.ts";
import type { CallAdmission, CallArrival, CallEnvelope } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";

/** Check 4: the channel that a valid key belongs to. Whatever is wrong with a key, the reply is the same. */
export async function checkCredential({
  arrival,
  deps,
  method,
  params,
}: CallArrival & CallEnvelope): Promise<CallAdmission | CallError> {
  const bearer = bearerOf(arrival.header("authorization"));
  const prefetch = methodNamed(method)?.prefetch?.(params);
  const admitted = await authenticateChannel(deps.store, bearer, { address: arrival.address, wanted: prefetch });
  if (!admitted) return { fault: "no-credential" };
  const { actor, limits, prefetched } = admitted;
  return { actor, limits, prefetched };
}
