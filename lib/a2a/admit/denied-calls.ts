import type { Atom } from "#lib/access/model/actor";
import type { DenialRule } from "#lib/channel/model/authority";
import { networkOf } from "#lib/platform/network-of";

/** A denied call, with what is known of it at that moment. */
export type DeniedCall = {
  /** The name that its reply and its line in the log have. */
  readonly requestId?: string | undefined;
  readonly at: Date;
  /** Set when the credential was valid. */
  readonly channelId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretHash?: Uint8Array | undefined;
  readonly address?: string | undefined;
  readonly atom?: Atom | undefined;
  readonly practiceId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Over one of the channel's limits; any other reason is looked up later. */
  readonly overLimit?: boolean | undefined;
  /** The reason when the look-up finds no other. */
  readonly fallbackRule?: DenialRule | undefined;
};

/** Most denials whose reason is looked up at one writing. */
const deniedMax = 500;

/** The part of them that calls without a valid key have at most, so that they hide no channel's own denials. */
const strangersMax = 250;

/** The part that each channel has, its calls over a limit apart; and without a valid key, each key and each network. */
const eachMax = 50;

/** The denials until the next writing whose reason is looked up. */
export type DeniedCalls = {
  /** False where there is no place for one more, or nothing to look up: it is only counted. */
  readonly add: (call: DeniedCall) => boolean;
  readonly all: () => readonly DeniedCall[];
};

/** Holds places for denials such that one caller, however often denied, leaves places for those of others. */
export function openDeniedCalls(): DeniedCalls {
  const calls: DeniedCall[] = [];
  const taken = new Map<string, number>();
  const takenBy = (name: string) => taken.get(name) ?? 0;
  const add = (call: DeniedCall): boolean => {
    const isStranger = call.channelId === undefined;
    if (isStranger && (call.keyId === undefined || takenBy(strangers) >= strangersMax)) return false;
    const names = callersOf(call);
    if (calls.length >= deniedMax || names.some((name) => takenBy(name) >= eachMax)) return false;
    for (const name of isStranger ? [...names, strangers] : names) taken.set(name, takenBy(name) + 1);
    calls.push(call);
    return true;
  };
  return { add, all: () => calls };
}

const strangers = "strangers";

/** By what the places of a call are counted: without a valid key, by the key that it names and where it comes from. */
function callersOf({ channelId, overLimit, keyId, address }: DeniedCall): readonly string[] {
  if (channelId !== undefined) return [`${overLimit === true ? "limit" : "channel"} ${channelId}`];
  return [`key ${keyId ?? ""}`, `network ${networkOf(address, 4)}`];
}
