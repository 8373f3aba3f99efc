import type { Atom, ChannelActor } from "#lib/access/model/actor";

type Rights = Pick<ChannelActor, "atoms" | "practices">;

/**
 * What a channel lacks for a call, where it lacks something: the atom before the practice. The one place that decides
 * it, for the endpoint and for whoever asks what the endpoint would say.
 */
export function missingPermission(
  { atoms, practices }: Rights,
  { atom, practiceId }: { readonly atom: Atom; readonly practiceId?: string | undefined },
): "atom" | "practice" | undefined {
  if (!atoms.includes(atom)) return "atom";
  return practiceId === undefined || practices.includes(practiceId) ? undefined : "practice";
}

/** Why a call was denied. The caller is told none of it. */
export type DenialRule =
  | "unknown-key"
  | "wrong-secret"
  | "key-revoked"
  | "key-ended"
  | "no-live-key"
  | "channel-suspended"
  | "network"
  | "limit"
  | "atom"
  | "no-such-practice"
  | "practice-suspended"
  | "practice-out-of-reach"
  | "task-out-of-reach"
  /**
   * At the token endpoint: signed by a key that was strong enough once; not signed by a key of the client's for this
   * service and now; or used before.
   */
  | "client-key-weak"
  | "assertion-wrong"
  | "assertion-used"
  /** Nothing speaks against it any more: a right was given, or time passed, since. */
  | "changed-since";

/** What is known of a channel and of what a call names, when somebody asks why. */
export type CallFacts = {
  /** Of the key the call brought, or of the channel's keys where none is meant. */
  readonly key: "unknown-key" | "wrong-secret" | "key-revoked" | "key-ended" | "no-live-key" | "live";
  readonly channelActive: boolean;
  readonly networkAllowed: boolean;
  /** With the active practices it reaches, of those the call names. */
  readonly rights: Rights;
  /** The practice the call names. */
  readonly practice?: { readonly exists: boolean; readonly active: boolean } | undefined;
  /** The practice of the task the call names, where there is such a task. */
  readonly taskPracticeId?: string | undefined;
};

/** The rule that denies a call, in the order the endpoint checks; undefined where it is allowed. */
export function ruleAgainst(
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
