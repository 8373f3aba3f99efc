import { useCalls } from "#lib/channel/store/call-limits";
import type { Store } from "#lib/db/db";

type Channel = {
  /** Calls that this process may admit without asking the database. */
  granted: number;
  /** Until when no call can be taken, by the monotonic clock of this process. */
  emptyUntilMs: number;
  waiting: number;
  pending: Promise<void> | undefined;
};

/** Returns 0 when the call is admitted, else the milliseconds after which it may be. */
export type RateGate = (channelId: string, perSecond: number) => number | Promise<number>;

/**
 * Bounds the calls of a channel per second, over all processes. Each process takes calls in advance from the shared
 * allowance, in the background, so that a call waits for the database only when a burst is faster than that. In any span
 * of `t` seconds a channel makes at most `perSecond × (t + 1)` calls, and for each process those of 0.2 s more.
 */
export function createCallRate(store: Store, onError: (error: unknown) => void): RateGate {
  const channels = new Map<string, Channel>();

  function take(channelId: string, perSecond: number, channel: Channel): Promise<void> {
    channel.pending ??= (async () => {
      try {
        const wanted = Math.ceil(2 * batchOf(perSecond) - channel.granted) + channel.waiting;
        const { calls, waitMs } = await useCalls(store, { channelId, perSecond, wanted: Math.max(1, wanted) });
        channel.granted += calls;
        if (calls === 0) channel.emptyUntilMs = performance.now() + waitMs;
      } finally {
        channel.pending = undefined;
      }
    })();
    return channel.pending;
  }

  async function wait(channelId: string, perSecond: number, channel: Channel): Promise<number> {
    channel.waiting += 1;
    try {
      for (;;) {
        if (channel.granted >= 1) return admit(channel);
        const emptyMs = channel.emptyUntilMs - performance.now();
        if (emptyMs > 0) return emptyMs;
        await take(channelId, perSecond, channel);
      }
    } finally {
      channel.waiting -= 1;
    }
  }

  return (channelId, perSecond) => {
    const batch = batchOf(perSecond);
    let channel = channels.get(channelId);
    // The first batch is granted without the database, so that the first call of a channel does not wait.
    if (!channel)
      channels.set(channelId, (channel = { granted: batch, emptyUntilMs: 0, waiting: 0, pending: undefined }));
    channel.granted = Math.min(channel.granted, 2 * batch);
    const emptyMs = channel.emptyUntilMs - performance.now();
    if (channel.granted < 1) return emptyMs > 0 ? emptyMs : wait(channelId, perSecond, channel);
    admit(channel);
    if (channel.granted < batch && emptyMs <= 0) take(channelId, perSecond, channel).catch(onError);
    return 0;
  };
}

function admit(channel: Channel): 0 {
  channel.granted -= 1;
  return 0;
}

/** The calls of a tenth of a second. */
function batchOf(perSecond: number): number {
  return Math.ceil(perSecond / 10);
}
