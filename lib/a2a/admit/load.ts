import type { CallLimits } from "#lib/channel/store/admission";
import { createPlaces, type Places } from "#lib/platform/http/places";
import type { Store } from "#lib/db/db";
import { createCallRate } from "./call-rate.ts";
import { createCallsAtOnce } from "./calls-at-once.ts";
import { createSentBytes } from "./sent-bytes.ts";
import { callsInFlightMax, longBodies } from "./limits.ts";

/** How much this process carries, and how much each channel may call. */
export type Load = {
  /**
   * Whether a call is let in that brings so many bytes to be kept; at once unless its channel's limits have to be asked
   * for.
   */
  readonly enter: (channelId: string, limits: CallLimits, bytes?: number) => LoadAdmission | Promise<LoadAdmission>;
  /** Room to read one body over the plain limit, once it is this channel's turn; undefined where the wait is over. */
  readonly readLong: Places["enter"];
  /** The same to understand and store it. */
  readonly answerLong: Places["enter"];
};

export type LoadAdmission =
  { readonly leave: () => void } | { readonly full: "rate-exceeded" | "busy"; readonly retryAfterS: number };

export type LoadOptions = {
  readonly store: Store;
  readonly inFlightMax?: number | undefined;
  /** What one channel may have kept by this process in a day, in bytes. */
  readonly bytesPerDay?: number | undefined;
  /** Told what failed in the background. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

const rateExceeded = { full: "rate-exceeded", retryAfterS: 1 } as const;

/** The channels' limits are counted over all processes, the calls and long bodies in flight in this one. */
export function createLoad(options: LoadOptions): Load {
  const { store, inFlightMax = callsInFlightMax, bytesPerDay = Number.POSITIVE_INFINITY, onError = () => {} } = options;
  const maySend = createSentBytes(bytesPerDay);
  const mayCall = createCallRate(store, onError);
  const atOnce = createCallsAtOnce(store, onError);
  let inFlight = 0;
  const [reading, answering] = [createPlaces(longBodies.reading), createPlaces(longBodies.answering)];

  function carry(leaveChannel: () => void): LoadAdmission {
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

  function enterBeside(channelId: string, callsAtOnce: number | undefined): LoadAdmission | Promise<LoadAdmission> {
    if (callsAtOnce === undefined) return carry(() => undefined);
    const answer = (isIn: boolean) => (isIn ? carry(() => atOnce.leave(channelId)) : rateExceeded);
    const isIn = atOnce.enter(channelId, callsAtOnce);
    return typeof isIn === "boolean" ? answer(isIn) : isIn.then(answer);
  }

  return {
    enter: (channelId, { callsPerSecond, callsAtOnce }, bytes = 0) => {
      const full = bytes === 0 || bytesPerDay === Number.POSITIVE_INFINITY ? 0 : maySend(channelId, bytes);
      if (full > 0) return { full: "rate-exceeded", retryAfterS: secondsOf(full) };
      const wait = callsPerSecond === undefined ? 0 : mayCall(channelId, callsPerSecond);
      if (wait === 0) return enterBeside(channelId, callsAtOnce);
      if (typeof wait === "number") return { full: "rate-exceeded", retryAfterS: secondsOf(wait) };
      return wait.then((ms) =>
        ms === 0 ? enterBeside(channelId, callsAtOnce) : { full: "rate-exceeded", retryAfterS: secondsOf(ms) },
      );
    },
    readLong: (channelId) => reading.enter(channelId),
    answerLong: (channelId) => answering.enter(channelId),
  };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
