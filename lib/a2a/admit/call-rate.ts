import { useCalls } from "#lib/channel/store/call-limits";
import type { Store } from "#lib/db/db";

type Channel = {
  /** Calls this process may let in without asking. */
  held: number;
  /** Until when there is nothing to take, by this process's steady clock. */
  emptyUntilMs: number;
  waiting: number;
  asking: Promise<void> | undefined;
};

/** Lets a call in (0), or says in how many milliseconds there may be room for it. */
export type RateGate = (channelId: string, perSecond: number) => number | Promise<number>;

/**
 * A channel's calls a second, over all processes. Each takes calls in advance from what all share, in the background,
 * so that a call waits for the database only where a burst outruns what was taken. In any span of `t` seconds a channel
 * makes at most `perSecond × (t + 1)` calls and two tenths of a second's for each process.
 */
export function createCallRate(store: Store, onError: (error: unknown) => void): RateGate {
  const channels = new Map<string, Channel>();

  function take(channelId: string, perSecond: number, channel: Channel): Promise<void> {
    channel.asking ??= (async () => {
      try {
        const wanted = Math.ceil(2 * batchOf(perSecond) - channel.held) + channel.waiting;
        const { calls, waitMs } = await useCalls(store, { channelId, perSecond, wanted: Math.max(1, wanted) });
        channel.held += calls;
        if (calls === 0) channel.emptyUntilMs = performance.now() + waitMs;
      } finally {
        channel.asking = undefined;
      }
    })();
    return channel.asking;
  }

  async function wait(channelId: string, perSecond: number, channel: Channel): Promise<number> {
    channel.waiting += 1;
    try {
      for (;;) {
        if (channel.held >= 1) return letIn(channel);
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
    // A first batch is not asked for, so that the first call of a channel waits for nothing.
    if (!channel) channels.set(channelId, (channel = { held: batch, emptyUntilMs: 0, waiting: 0, asking: undefined }));
    channel.held = Math.min(channel.held, 2 * batch);
    const emptyMs = channel.emptyUntilMs - performance.now();
    if (channel.held < 1) return emptyMs > 0 ? emptyMs : wait(channelId, perSecond, channel);
    letIn(channel);
    if (channel.held < batch && emptyMs <= 0) take(channelId, perSecond, channel).catch(onError);
    return 0;
  };
}

function letIn(channel: Channel): 0 {
  channel.held -= 1;
  return 0;
}

/** A tenth of a second's calls. */
function batchOf(perSecond: number): number {
  return Math.ceil(perSecond / 10);
}
