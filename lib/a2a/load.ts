import type { CallLimits } from "#lib/store/admission";
import type { Store } from "#lib/store/db";
import { createCallRate } from "./call-rate.ts";
import { createCallsAtOnce } from "./calls-at-once.ts";
import { bodiesWithFilesMax, callsInFlightMax } from "./limits.ts";

/** How much this process carries, and how much each channel may call. */
export type Load = {
  /** Whether a call is let in; at once unless its channel's limits have to be asked for. */
  readonly enter: (channelId: string, limits: CallLimits) => Entered | Promise<Entered>;
  /** Room for one body over the plain limit, until it is given back; undefined when there is none. */
  readonly enterLong: () => (() => void) | undefined;
};

export type Entered =
  { readonly leave: () => void } | { readonly full: "rate-exceeded" | "busy"; readonly retryAfterS: number };

export type LoadOptions = {
  readonly store: Store;
  readonly inFlightMax?: number | undefined;
  /** Told what failed in the background. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

const rateExceeded = { full: "rate-exceeded", retryAfterS: 1 } as const;

/** The channels' limits are counted over all processes, the calls and long bodies in flight in this one. */
export function createLoad({ store, inFlightMax = callsInFlightMax, onError = () => {} }: LoadOptions): Load {
  const mayCall = createCallRate(store, onError);
  const atOnce = createCallsAtOnce(store, onError);
  let inFlight = 0;
  let long = 0;

  function carry(leaveChannel: () => void): Entered {
    if (inFlight >= inFlightMax) {
      leaveChannel();
      return { full: "busy", retryAfterS: 1 };
    }
    inFlight += 1;
    return {
      leave: () => {
        inFlight -= 1;
        leaveChannel();
      },
    };
  }

  function enterBeside(channelId: string, callsAtOnce: number | undefined): Entered | Promise<Entered> {
    if (callsAtOnce === undefined) return carry(() => undefined);
    const answer = (isIn: boolean) => (isIn ? carry(() => atOnce.leave(channelId)) : rateExceeded);
    const isIn = atOnce.enter(channelId, callsAtOnce);
    return typeof isIn === "boolean" ? answer(isIn) : isIn.then(answer);
  }

  return {
    enter: (channelId, { callsPerSecond, callsAtOnce }) => {
      const wait = callsPerSecond === undefined ? 0 : mayCall(channelId, callsPerSecond);
      if (wait === 0) return enterBeside(channelId, callsAtOnce);
      if (typeof wait === "number") return { full: "rate-exceeded", retryAfterS: secondsOf(wait) };
      return wait.then((ms) =>
        ms === 0 ? enterBeside(channelId, callsAtOnce) : { full: "rate-exceeded", retryAfterS: secondsOf(ms) },
      );
    },
    enterLong: () => {
      if (long >= bodiesWithFilesMax) return undefined;
      long += 1;
      return () => void (long -= 1);
    },
  };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
