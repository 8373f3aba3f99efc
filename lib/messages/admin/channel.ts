import type { Atom } from "#lib/access/model/actor";
import { idleDays, rsaBitsMin, soonDays, type KeyWarning } from "#lib/channel/model/key-warning";
import type { DenialRule } from "#lib/channel/model/authority";
import { knownText } from "#lib/messages/known-text";

/** Each permission of a channel: its name, and what it allows. */
export const permissionLabels = {
  prior_auth_intake: {
    text: "Open and amend cases",
    opens: "Sends intakes, and new revisions of a case that is open.",
  },
  prior_auth_void: { text: "Request voids", opens: "Requests that an authorization be voided. A reviewer decides." },
  tasks_get: { text: "Read cases", opens: "Polls a case for its state, its gate and its determination." },
  tasks_cancel: { text: "Withdraw cases", opens: "Takes back a case the payer does not have yet." },
} as const satisfies Record<Atom, { readonly text: string; readonly opens: string }>;

/** Why a call was or would be denied. Administrators read it; the caller never does. */
export const denialReasons: Readonly<Record<DenialRule, string>> = {
  "unknown-key": "No channel has this key",
  "wrong-secret": "The key's secret is wrong",
  "key-revoked": "The key is revoked",
  "key-ended": "The key has ended",
  "no-live-key": "The channel has no live key",
  "channel-suspended": "The channel is suspended",
  network: "From a network it may not call from",
  limit: "Over the channel's limits",
  atom: "It may not do this",
  "no-such-practice": "There is no such practice",
  "practice-suspended": "The practice is suspended",
  "practice-out-of-reach": "It does not reach the practice",
  "task-out-of-reach": "The case is of a practice it does not reach",
  "client-key-weak": "Its public key has too few bits to count any more",
  "assertion-wrong": "Its assertion for a token is not good",
  "assertion-used": "Its assertion for a token was used before",
  "changed-since": "Allowed by now: its rights changed since",
};

/** A warning about a channel's keys, with its remedy. `ownersFrom` is the day from which every channel needs an owner. */
export function keyWarningText(warning: KeyWarning, { ownersFrom }: { readonly ownersFrom: Date }): string {
  switch (warning.type) {
    case "ends-soon":
      return `The key ending ${warning.lastFour} ends within ${soonDays} days, and none takes over. Rotate it.`;
    case "idle":
      return `The key ending ${warning.lastFour} hasn't been used for ${idleDays} days. Revoke it if it isn't needed.`;
    case "client-weak":
      return `A public key of the agent's has fewer than ${rsaBitsMin} bits: what it signs gets no token. Ask the agent for another and save it.`;
    case "client-ends-soon":
      return `The agent's public keys end within ${soonDays} days. Save them again, or newer ones.`;
    case "client-idle":
      return `The agent has not called with a token for ${idleDays} days. Remove its public keys if it will not.`;
    case "every-practice":
      return "The channel reaches every practice. Leave it those it works for.";
    case "wide-network":
      return `The network ${warning.network} is wider than any one organization's.`;
    case "no-rate":
      return "No rate limit set. A malfunctioning agent could slow down everyone else.";
    case "no-owner":
      return `No owner. Set one: from ${ownersFrom.toISOString().slice(0, 10)} its requests can't be released without one.`;
  }
}

const done = {
  renamed: "Renamed.",
  rights: "Saved. It holds from the channel's next call on.",
  owner: "Saved. The owner releases nothing of what this channel asks.",
  client: "Saved. The agent can ask for tokens signed with these keys.",
  limits: "Saved. They hold from its next call on, over all servers together.",
  networks: "Saved. From its next call on, every call from elsewhere is denied.",
  webhooks: "Saved. It holds from the agent's next message on.",
  resent: "It is delivered again now.",
  revoked: "Revoked. Every call with it is denied from now on.",
  suspended: "Suspended. Every key of this channel is denied.",
  resumed: "Active again. Its live keys work.",
} as const;

/** An act on a channel, as the address of its page names it once it is done. */
export type ChannelDone = keyof typeof done;

export const channelDoneText = (act: unknown): string | undefined => knownText(done, act);
