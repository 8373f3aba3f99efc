import { z } from "zod";
import type { Context } from "#lib/access/context";
import { atoms, isAdmin } from "#lib/access/model/actor";
import { ruleAgainst, type DenialRule } from "#lib/channel/model/authority";
import { ok, refuse, type Result } from "#lib/platform/result";
import { callFacts } from "#lib/channel/store/call-facts";
import { findAdministered } from "./administered-channel.ts";
import { checked } from "#lib/access/checked";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";
import { now } from "#lib/platform/now";

const schema = z.object({
  atom: z.enum(atoms, `must be of ${atoms.join(", ")}`),
  practiceId: z.string().max(64, "must be at most 64 characters"),
  address: z.union([z.literal(""), z.ipv4(), z.ipv6()], "must be an address, such as 203.0.113.7"),
});

export type TryCall = {
  readonly channelId: string;
  readonly atom: string;
  readonly practiceId: string;
  /** Where the call would come from; left out or empty, somewhere it may call from. */
  readonly address?: string | undefined;
};

/**
 * What the endpoint would say now to a call of this channel with a live key: the rule that denies it, or none. It is
 * decided by what the endpoint decides by, and nothing is called.
 */
export async function tryCall(
  { actor, store }: Context,
  { channelId, address = "", ...asked }: TryCall,
): Promise<Result<{ deniedBy: DenialRule | undefined }, AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "channels");
  const call = checked(schema, { ...asked, address });
  if (!call.ok) return call;
  const channel = await findAdministered(store, actor, channelId);
  if (!channel.ok) return channel;
  const { atom, practiceId } = call.value;
  const from = address === "" ? { anywhere: true } : { address };
  const [known] = await callFacts(store, [{ at: now(), channelId, practiceId, ...from }]);
  if (!known) return refuse({ type: "not-found", what: "channel" });
  return ok({ deniedBy: ruleAgainst(known.facts, { atom, practiceId }) });
}
