import { bearerOf, readCredential } from "#lib/channel/channel-key";
import { requestedAccess } from "#lib/a2a/params/requested-access";
import type { NamedCall } from "#lib/a2a/call";
import { methodNamed } from "#lib/a2a/methods";
import { faults, type CallError } from "#lib/a2a/reply/faults";
import { now } from "#lib/platform/now";

/** What a call came to: the task it was answered with, and after how long. */
type Outcome = { readonly taskId: string | undefined; readonly ms: number };

/**
 * Counts an answered call as admitted or as denied. The reason of a denial is looked up later. An admitted one is also
 * listed for those who build its agent, but for a poll that was answered: those are most calls, and tell nothing.
 */
export function noteCall(
  { call, requestId }: Pick<NamedCall, "call" | "requestId">,
  refused: CallError | undefined,
  answered?: Outcome,
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
  if (!answered || (method === "tasks/get" && !refused)) return;
  const { http, code } = refused ? faults[refused.fault] : { http: 200, code: undefined };
  const served = method !== undefined && methodNamed(method) ? method : undefined;
  const result = { taskId: refused ? undefined : answered.taskId, code, http, ms: Math.round(answered.ms) };
  deps.book.listCall({ id: requestId, channelId: actor.id, at, method: served, atom: requested.atom, ...result });
}
