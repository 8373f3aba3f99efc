import { z } from "zod";
import type { Context } from "#lib/access/context";
import { administers, atoms, isAdmin, reaches } from "#lib/access/model/actor";
import { denyingRule, type DenialRule } from "#lib/channel/model/authority";
import { ok, refuse, type Result } from "#lib/platform/result";
import { callFacts } from "#lib/channel/store/call-facts";
import { channelProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { concealPractice } from "./channel-calls.ts";
import { findAdministeredChannel } from "./administered-channel.ts";
import { validate } from "#lib/access/validate";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { now } from "#lib/platform/now";

const schema = z.object({
  atom: z.enum(atoms, problems.of(atoms)),
  practiceId: z.string().max(64, problems.charactersMax(64)),
  address: z.union([z.literal(""), z.ipv4(), z.ipv6()], channelProblems.ipAddress),
});

export type TryCall = {
  readonly channelId: string;
  readonly atom: string;
  readonly practiceId: string;
  /** The address the call would come from; left out or empty, one that the channel may call from. */
  readonly address?: string | undefined;
};

/**
 * The rule that would deny a call of this channel with a live key now; none where it would be allowed. It uses the
 * rules of the endpoint, and makes no call. A practice that the actor does not administer is answered as one that there is
 * not.
 */
export async function tryCall(
  { actor, store }: Context,
  { channelId, address = "", ...input }: TryCall,
): Promise<Result<{ deniedBy: DenialRule | undefined }, AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "channels");
  const call = validate(schema, { ...input, address });
  if (!call.ok) return call;
  const channel = await findAdministeredChannel(store, actor, channelId);
  if (!channel.ok) return channel;
  const { atom, practiceId } = call.value;
  const from = address === "" ? { anywhere: true } : { address };
  const [found] = await callFacts(store, [{ at: now(), channelId, practiceId, ...from }]);
  if (!found) return refuse({ type: "not-found", what: "channel" });
  const deniedBy = denyingRule(found.facts, { atom, practiceId });
  const isTheirs = reaches(administers(actor), [practiceId]);
  return ok({ deniedBy: deniedBy && !isTheirs ? concealPractice(deniedBy) : deniedBy });
}
