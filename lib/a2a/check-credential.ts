import { authenticateChannel } from "#lib/auth/channel";
import { bearerOf } from "./bearer.ts";
import type { Admitted, Arrived, Enveloped } from "./call.ts";
import type { Refused } from "./faults.ts";
import { methodNamed } from "./methods.ts";

/** Rung 4: the channel a live key speaks for; whatever is wrong with a key, the answer is the same. */
export async function checkCredential({
  arrival,
  deps,
  method,
  params,
}: Arrived & Enveloped): Promise<Admitted | Refused> {
  const bearer = bearerOf(arrival.header("authorization"));
  const wanted = methodNamed(method)?.wanted?.(params);
  const admitted = await authenticateChannel(deps.store, bearer, { address: arrival.address, wanted });
  if (!admitted) return { fault: "no-credential" };
  const { actor, limits, prefetched } = admitted;
  return { actor, limits, prefetched };
}
