import { setTimeout as pause } from "node:timers/promises";
import type { CallLimits } from "#lib/channel/store/admission";
import { createPlaces, type Places } from "#lib/platform/http/places";
import type { Store } from "#lib/db/db";
import { createCallRate } from "./call-rate.ts";
import { createCallsAtOnce } from "./calls-at-once.ts";
import { callsInFlightMax, longBodies, waits } from "./limits.ts";

/** Bounds the calls of this process and of each channel. */
export type Load = {
  /** Admits a call that stores so many bytes, or refuses it. Without a promise unless the database must be asked. */
  readonly enter: (channelId: string, limits: CallLimits, bytes?: number) => LoadAdmission | Promise<LoadAdmission>;
  /** Admits a call whose answer is held back, and which has left before. */
  readonly enterWait: (channelId: string) => LoadAdmission;
  /** A place to read the task of an answer that was held back, when it is this channel's turn. */
  readonly endWait: Places["enter"];
  /** A place to read one body over the plain limit, when it is this channel's turn; undefined after too long a wait. */
  readonly readLong: Places["enter"];
  /** The same, to parse and store a body of so many bytes, at the channel's pace. */
  readonly answerLong: (channelId: string, bytes: number) => ReturnType<Places["enter"]>;
  /** The same, to open the stored bytes of a task. */
  readonly amendLong: Places["enter"];
};

/** Gives a call's place back. A call that was turned away for want of room (429, 503) stored nothing of what it brought. */
export type LeaveCall = (isTurnedAway?: boolean) => void;

/** `isRate`: its channel has made all the calls that it may make in a second; else it has reached another of its limits. */
export type Full = {
  readonly full: "rate-exceeded" | "busy";
  readonly retryAfterS: number;
  readonly isRate?: true | undefined;
};

export type LoadAdmission = { readonly leave: LeaveCall } | Full;

export type LoadOptions = {
  readonly store: Store;
  readonly inFlightMax?: number | undefined;
  /** How many bytes a day one channel may store through this process. */
  readonly bytesPerDay?: number | undefined;
  /** Gets the errors of work in the background. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

type Entering = { readonly channelId: string; readonly bytes: number };

const atOnceExceeded: Full = { full: "rate-exceeded", retryAfterS: 1 };

function rateExceeded(waitMs: number): Full {
  return { full: "rate-exceeded", retryAfterS: secondsOf(waitMs), isRate: true };
}

/** A wait ends within a minute, so after this long there may be room for another. */
const waitRetryS = 5;

/** The limits of channels are counted over all processes; calls and long bodies in flight are counted in this one. */
export function createLoad(options: LoadOptions): Load {
  const { store, inFlightMax = callsInFlightMax, bytesPerDay = Number.POSITIVE_INFINITY, onError = () => {} } = options;
  const chargeBytes = bytesPerDay === Number.POSITIVE_INFINITY ? () => 0 : createByteQuota(bytesPerDay);
  const takeCall = createCallRate(store, onError);
  const atOnce = createCallsAtOnce(store, onError);
  const places = createCallPlaces(inFlightMax);
  const [reading, answering] = [createPlaces(longBodies.reading), createPlaces(longBodies.answering)];
  const amending = createPlaces(longBodies.amending);
  const paceBytes = createBytePace(longBodies.pace);
  const enterWait = createWaits();
  const endingWait = createPlaces(waits.reading);

  function admit({ channelId, bytes }: Entering, leaveChannel: () => void): LoadAdmission {
    if (!places.enter(channelId)) {
      leaveChannel();
      return { full: "busy", retryAfterS: 1 };
    }
    const leave = () => {
      places.leave(channelId);
      leaveChannel();
    };
    // Last, so that a call that finds no room pays for no bytes.
    const fullMs = bytes === 0 ? 0 : chargeBytes(channelId, bytes);
    if (fullMs > 0) {
      leave();
      return { full: "rate-exceeded", retryAfterS: secondsOf(fullMs) };
    }
    return {
      leave: (isTurnedAway = false) => {
        if (isTurnedAway && bytes > 0) chargeBytes(channelId, -bytes);
        leave();
      },
    };
  }

  function enterAtOnce(entering: Entering, callsAtOnce: number | undefined): LoadAdmission | Promise<LoadAdmission> {
    if (callsAtOnce === undefined) return admit(entering, () => undefined);
    const { channelId } = entering;
    const answer = (isIn: boolean) => (isIn ? admit(entering, () => atOnce.leave(channelId)) : atOnceExceeded);
    const isIn = atOnce.enter(channelId, callsAtOnce);
    return typeof isIn === "boolean" ? answer(isIn) : isIn.then(answer);
  }

  return {
    enter: (channelId, { callsPerSecond, callsAtOnce }, bytes = 0) => {
      const entering = { channelId, bytes };
      const wait = callsPerSecond === undefined ? 0 : takeCall(channelId, callsPerSecond);
      if (wait === 0) return enterAtOnce(entering, callsAtOnce);
      if (typeof wait === "number") return rateExceeded(wait);
      return wait.then((ms) => (ms === 0 ? enterAtOnce(entering, callsAtOnce) : rateExceeded(ms)));
    },
    enterWait,
    endWait: (channelId) => endingWait.enter(channelId),
    readLong: (channelId) => reading.enter(channelId),
    answerLong: async (channelId, bytes) => {
      const waitMs = paceBytes(channelId, bytes);
      if (waitMs === undefined) return undefined;
      if (waitMs > 0) await pause(waitMs);
      return answering.enter(channelId);
    },
    amendLong: (channelId) => amending.enter(channelId),
  };
}

/**
 * The places for calls in flight. Once three quarters of them are taken, no channel gets more than an equal part of all,
 * counted with one channel more than there are, so that whoever comes next finds some free.
 */
function createCallPlaces(most: number) {
  const byChannel = new Map<string, number>();
  let all = 0;
  return {
    enter: (channelId: string): boolean => {
      const own = byChannel.get(channelId) ?? 0;
      const share = Math.ceil(most / (byChannel.size + (own === 0 ? 2 : 1)));
      if (all >= most || (all >= most * (3 / 4) && own >= share)) return false;
      all += 1;
      byChannel.set(channelId, own + 1);
      return true;
    },
    leave: (channelId: string): void => {
      all -= 1;
      const left = (byChannel.get(channelId) ?? 1) - 1;
      if (left > 0) byChannel.set(channelId, left);
      else byChannel.delete(channelId);
    },
  };
}

/** Counts the answers that are held back. */
function createWaits(): Load["enterWait"] {
  const byChannel = new Map<string, number>();
  let all = 0;
  return (channelId) => {
    const own = byChannel.get(channelId) ?? 0;
    if (own >= waits.each) return { full: "rate-exceeded", retryAfterS: waitRetryS };
    if (all >= waits.most) return { full: "busy", retryAfterS: waitRetryS };
    all += 1;
    byChannel.set(channelId, own + 1);
    return {
      leave: () => {
        all -= 1;
        const left = (byChannel.get(channelId) ?? 1) - 1;
        if (left > 0) byChannel.set(channelId, left);
        else byChannel.delete(channelId);
      },
    };
  };
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

type Channel = { left: number; atMs: number };

/**
 * Counts the bytes that a channel stores. Returns 0 within its limit, else the milliseconds until they would fit. Bytes
 * below zero are given back.
 */
type ByteQuota = (channelId: string, bytes: number) => number;

const dayMs = 86_400_000;

/**
 * Bounds what one channel can make this process store: the quota of a day at once, which refills over a day. It is counted
 * in the memory of this process alone: it protects the disk from a faulty or hostile agent and is no basis for billing.
 */
export function createByteQuota(perDay: number, nowMs: () => number = () => performance.now()): ByteQuota {
  const channels = new Map<string, Channel>();
  return (channelId, bytes) => {
    const atMs = nowMs();
    const channel = channels.get(channelId) ?? { left: perDay, atMs };
    const left = Math.min(perDay, channel.left + ((atMs - channel.atMs) / dayMs) * perDay);
    const isWithin = bytes <= left;
    channels.set(channelId, { left: isWithin ? left - bytes : left, atMs });
    return isWithin ? 0 : Math.ceil(((bytes - left) / perDay) * dayMs);
  };
}

export type PaceOptions = {
  readonly burstBytes: number;
  readonly bytesPerSecond: number;
  /** Longest that a turn is waited for. */
  readonly waitMs: number;
};

/**
 * Paces the bytes of each channel: as many at once as a burst has, then so many a second. Returns the milliseconds until
 * it is these bytes' turn, in the order of the calls, or undefined where that would be too long. Whatever is over the burst
 * is let in whole and waited for by the next.
 */
export function createBytePace(
  { burstBytes, bytesPerSecond, waitMs }: PaceOptions,
  nowMs: () => number = () => performance.now(),
): (channelId: string, bytes: number) => number | undefined {
  const channels = new Map<string, Channel>();
  return (channelId, bytes) => {
    const atMs = nowMs();
    const known = channels.get(channelId) ?? { left: burstBytes, atMs };
    const left = Math.min(burstBytes, known.left + ((atMs - known.atMs) / 1_000) * bytesPerSecond);
    const turnMs = left >= 0 ? 0 : Math.ceil((-left / bytesPerSecond) * 1_000);
    channels.set(channelId, { left: turnMs > waitMs ? left : left - bytes, atMs });
    return turnMs > waitMs ? undefined : turnMs;
  };
}
