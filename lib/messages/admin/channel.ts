import type { Atom } from "#lib/access/model/actor";
import type { AccessPreview } from "#lib/channel/change-channel-access";
import type { FirstCommand } from "#lib/channel/first-command";
import type { DenialRule } from "#lib/channel/model/authority";
import { idleDays, rsaBitsMin, soonDays, type KeyWarning } from "#lib/channel/model/key-warning";
import { knownText } from "#lib/messages/known-text";

/** Each permission of a channel: its name, and what it allows. */
export const permissionLabels = {
  prior_auth_intake: { text: "Open and amend cases", opens: "Sends new requests, and changes to open cases." },
  prior_auth_void: { text: "Request voids", opens: "Asks to cancel an authorization. A reviewer decides." },
  tasks_get: { text: "Read cases", opens: "Reads the status and the determination of a case." },
  tasks_cancel: { text: "Withdraw cases", opens: "Takes back a case that the payer doesn't have yet." },
} as const satisfies Record<Atom, { readonly text: string; readonly opens: string }>;

/** Why a call was or would be denied. Administrators read it; the caller never does. */
export const denialReasons: Readonly<Record<DenialRule, string>> = {
  "unknown-key": "Unknown API key",
  "wrong-secret": "Wrong secret in the API key",
  "key-revoked": "API key revoked",
  "key-ended": "API key expired",
  "no-live-key": "No active API key",
  "channel-suspended": "Channel suspended",
  network: "Address not on the IP allowlist",
  limit: "Over the rate limit",
  atom: "Permission missing",
  "no-such-practice": "Practice doesn't exist",
  "practice-suspended": "Practice suspended",
  "practice-out-of-reach": "No access to the practice",
  "task-out-of-reach": "No access to the practice of the case",
  "client-key-weak": "Public key too short",
  "assertion-wrong": "Token request not valid",
  "assertion-used": "Token request already used",
  "changed-since": "Would be allowed now; access changed since",
};

/** A warning about a channel: the fact with its consequence, and the act that fixes it, on which tab. */
export type WarningText = {
  readonly text: string;
  readonly act: string;
  readonly tab: "overview" | "keys" | "access";
};

type WarningTexts = {
  readonly [Type in KeyWarning["type"]]: (of: KeyWarning & { readonly type: Type }, ownersFrom: Date) => WarningText;
};

const warningTexts: WarningTexts = {
  "ends-soon": ({ lastFour }) => ({
    text: `The key ending ${lastFour} expires within ${soonDays} days and has no successor. The agent stops then.`,
    act: "Rotate key",
    tab: "keys",
  }),
  idle: ({ lastFour }) => ({
    text: `The key ending ${lastFour} hasn't been used for ${idleDays} days. An unused key can leak unnoticed.`,
    act: "Revoke key",
    tab: "keys",
  }),
  "client-weak": () => ({
    text: `A public key of the agent has fewer than ${rsaBitsMin.toLocaleString("en-US")} bits. Tokens signed with it are denied.`,
    act: "Replace keys",
    tab: "keys",
  }),
  "client-ends-soon": () => ({
    text: `The agent's public keys expire within ${soonDays} days. The agent stops then.`,
    act: "Replace keys",
    tab: "keys",
  }),
  "client-idle": () => ({
    text: `The agent hasn't used a token for ${idleDays} days. Unused keys can leak unnoticed.`,
    act: "Remove keys",
    tab: "keys",
  }),
  "every-practice": () => ({
    text: "This channel can access every practice. A leaked key would expose all of them.",
    act: "Limit practice access",
    tab: "access",
  }),
  "wide-network": ({ network }) => ({
    text: `The allowlist entry ${network} covers more than one organization. It hardly limits anyone.`,
    act: "Change allowlist",
    tab: "access",
  }),
  "no-rate": () => ({
    text: "No rate limit set. A malfunctioning agent could slow down everyone else.",
    act: "Set a rate limit",
    tab: "access",
  }),
  "no-owner": (_, ownersFrom) => ({
    text: `No owner set. From ${dayText(ownersFrom)}, requests of a channel without an owner can't be released.`,
    act: "Set an owner",
    tab: "overview",
  }),
  "no-practices": () => ({
    text: "No practice access. Every request of the agent is denied.",
    act: "Add a practice",
    tab: "access",
  }),
};

/** `ownersFrom` is the day from which every channel needs an owner. */
export function keyWarningText(warning: KeyWarning, { ownersFrom }: { readonly ownersFrom: Date }): WarningText {
  // Safe because a warning's type names the text that takes it.
  const text = warningTexts[warning.type] as (of: KeyWarning, ownersFrom: Date) => WarningText;
  return text(warning, ownersFrom);
}

function dayText(at: Date): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(at);
}

/** What a change of access comes to, line by line; `names` has the practices by id. */
export function accessReview(
  { change, awaiting, reachesNone, digest }: AccessPreview,
  names: ReadonlyMap<string, string>,
) {
  const practice = (id: string) => `${names.get(id) ?? id}${awaiting.includes(id) ? " (awaits a second admin)" : ""}`;
  const each = (kind: "adds" | "removes", name: string, items: readonly string[] = []) =>
    items.map((text) => ({ kind, name, text }));
  const permission = (atom: string) => knownText(permissionTexts, atom) ?? atom;
  const { practices, atoms, networks, callsPerSecond, callsAtOnce } = change;
  const moved = (name: string, move: typeof callsPerSecond, unit: string) =>
    move
      ? [{ kind: "changes" as const, name, text: `${limitText(move.from, unit)} → ${limitText(move.to, unit)}` }]
      : [];
  return {
    lines: [
      ...each("adds", "Practice access", practices?.added.map(practice)),
      ...each("removes", "Practice access", practices?.removed.map(practice)),
      ...each("adds", "Permission", atoms?.added.map(permission)),
      ...each("removes", "Permission", atoms?.removed.map(permission)),
      ...moved("Rate limit", callsPerSecond, "calls per second"),
      ...moved("Concurrent calls", callsAtOnce, "at the same time"),
      ...each("adds", "IP allowlist", networks?.added),
      ...each("removes", "IP allowlist", networks?.removed),
    ],
    warnings: reachesNone ? ["No practice access. Every request of the agent will be denied."] : [],
    notes: [
      "Takes effect on the channel's next call.",
      ...(awaiting.length > 0
        ? ["A second admin has to confirm the marked practices. Everything else is saved at once."]
        : []),
    ],
    seen: digest,
  };
}

const permissionTexts = Object.fromEntries(
  Object.entries(permissionLabels).map(([atom, { text }]) => [atom, text]),
) as Readonly<Record<Atom, string>>;

function limitText(limit: number | null, unit: string): string {
  return limit === null ? "no limit" : `${limit.toLocaleString("en-US")} ${unit}`;
}

const done = {
  renamed: "Name saved.",
  access: "Access saved. It takes effect on the channel's next call.",
  "access-waiting": "Saved. The new practice access awaits a second admin.",
  owner: "Owner saved. The owner can decline the channel's requests but never release them.",
  client: "Public keys saved. The agent can request tokens signed with them.",
  webhooks: "Webhook hosts saved. They apply from the agent's next message.",
  resent: "The delivery is sent again now.",
  revoked: "Revoked. Every call with this credential is denied from now on.",
  suspended: "Channel suspended. Every call is denied from now on.",
  resumed: "Channel active. Its keys work again.",
} as const;

/** An act on a channel, as the address of its page names it once it is done. */
export type ChannelDone = keyof typeof done;

export const channelDoneText = (act: unknown): string | undefined => knownText(done, act);

/** What has to be known beside a new signing secret. */
export const webhookSecretText = {
  title: "Copy this signing secret now",
  text: "This is the only time it is shown. The agent checks the signature of each delivery with it.",
  label: "Signing secret",
} as const;

const firstCommandLabels: Readonly<Record<FirstCommand["kind"], string>> = {
  request: "Send a first test request",
  "manual-request":
    "Send a first test request (no test payer of this practice answers by itself, so a person submits it)",
  "key-check": "Check the key (the answer is error -32001: this case doesn't exist)",
};

/** What has to be known beside a new key, and the command to try it with. */
export function newKeyText(command: FirstCommand | undefined) {
  return {
    title: "Copy this key now",
    text: "This is the only time it is shown. The service keeps a hash of it, never the key.",
    label: "New key",
    command: command && { label: firstCommandLabels[command.kind], text: command.text },
  };
}
