import { admitKey } from "#lib/channel/authenticate-channel";
import { bearerOf, readCredential } from "#lib/channel/channel-key";
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
  const { store, records } = deps;
  const bearer = bearerOf(arrival.header("authorization"));
  const key = bearer === undefined ? undefined : readCredential(store, bearer);
  if (!key) return { fault: "no-credential" };
  const by = { keyId: key.id, secretHash: key.secretHash, address: arrival.address };
  const admitted = await admitKey(store, by, methodNamed(method)?.prefetch?.(params, { keyId: key.id, records }));
  if (!admitted) return { fault: "no-credential" };
  const { actor, limits, prefetched } = admitted;
  return { actor, limits, prefetched };
}
