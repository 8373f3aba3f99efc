import type { DenialRule } from "#lib/channel/model/authority";

/** Why a call was or would be denied, in words for whoever administers channels; its caller never learns them. */
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
