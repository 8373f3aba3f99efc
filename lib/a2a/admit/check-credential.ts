import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { bearerOf } from "./bearer.ts";
import type { CallAdmission, CallArrival, CallEnvelope } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { methodNamed } from "#lib/a2a/methods";

/** Rung 4: the channel a live key speaks for; whatever is wrong with a key, the answer is the same. */
export async function checkCredential({
  arrival,
  deps,
  method,
  params,
}: CallArrival & CallEnvelope): Promise<CallAdmission | CallError> {
  const bearer = bearerOf(arrival.header("authorization"));
  const wanted = methodNamed(method)?.wanted?.(params);
  const admitted = await authenticateChannel(deps.store, bearer, { address: arrival.address, wanted });
  if (!admitted) return { fault: "no-credential" };
  const { actor, limits, prefetched } = admitted;
  return { actor, limits, prefetched };
}
