import type { Atom, ChannelActor } from "#lib/access/model/actor";

type Rights = Pick<ChannelActor, "atoms" | "practices">;

/**
 * The permission that a call lacks, if any: the operation is checked before the practice. It decides for the endpoint
 * and for the administrators' test of a call alike.
 */
export function missingPermission(
  { atoms, practices }: Rights,
  { atom, practiceId }: { readonly atom: Atom; readonly practiceId?: string | undefined },
): "atom" | "practice" | undefined {
  if (!atoms.includes(atom)) return "atom";
  return practiceId === undefined || practices.includes(practiceId) ? undefined : "practice";
}

/** Why a call was denied. The caller never learns it. */
export const denialRules = [
  "unknown-key",
  "wrong-secret",
  "key-revoked",
  "key-ended",
  "no-live-key",
  "channel-suspended",
  "network",
  "limit",
  "atom",
  "no-such-practice",
  "practice-suspended",
  "practice-out-of-reach",
  "task-out-of-reach",
  /**
   * At the token endpoint: signed by a key that is too short by now; not signed for this service and this time by a key
   * of the client; or used before.
   */
  "client-key-weak",
  "assertion-wrong",
  "assertion-used",
  /** The call would be allowed now, because permissions or time changed since. */
  "changed-since",
] as const;
export type DenialRule = (typeof denialRules)[number];

/** What is known of a channel and of what a call names, to explain a denial. */
export type CallFacts = {
  /** The state of the call's key, or of the channel's keys where the call has none. */
  readonly key: "unknown-key" | "wrong-secret" | "key-revoked" | "key-ended" | "no-live-key" | "live";
  readonly channelActive: boolean;
  readonly networkAllowed: boolean;
  /** With those active practices, of the ones the call names, that the channel reaches. */
  readonly rights: Rights;
  /** The practice the call names. */
  readonly practice?: { readonly exists: boolean; readonly active: boolean } | undefined;
  /** The practice of the case that the call names, where the case exists. */
  readonly taskPracticeId?: string | undefined;
};

/** The rule that denies a call, in the order in which the endpoint checks; undefined where it is allowed. */
export function denyingRule(
  facts: CallFacts,
  { atom, practiceId }: { readonly atom: Atom | undefined; readonly practiceId: string | undefined },
): DenialRule | undefined {
  if (facts.key !== "live") return facts.key;
  if (!facts.channelActive) return "channel-suspended";
  if (!facts.networkAllowed) return "network";
  if (atom === undefined) return undefined;
  const lack = missingPermission(facts.rights, { atom, practiceId });
  if (lack === "atom") return "atom";
  if (lack === "practice") return practiceRule(facts);
  return missingPermission(facts.rights, { atom, practiceId: facts.taskPracticeId }) && "task-out-of-reach";
}

function practiceRule({ practice }: CallFacts): DenialRule {
  if (!practice?.exists) return "no-such-practice";
  return practice.active ? "practice-out-of-reach" : "practice-suspended";
}
