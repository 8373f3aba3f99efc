import { randomUUID } from "node:crypto";
import { holdRoom, roomMs } from "#lib/channel/store/call-limits";
import type { Store } from "#lib/db/db";

type Channel = {
  /** Calls this process may have under way, until its room runs out. */
  room: number;
  roomUntilMs: number;
  underWay: number;
  /** The most under way at once since it was last asked how much is needed. */
  most: number;
  waiting: number;
  atOnce: number;
  fullUntilMs: number;
  asking: Promise<void> | undefined;
};

export type AtOnceGate = {
  /** True where the call is let in; whoever is must `leave`. */
  readonly enter: (channelId: string, atOnce: number) => boolean | Promise<boolean>;
  readonly leave: (channelId: string) => void;
};

/** How often room that is not needed is given back, and room that is needed is held on to. */
const tendMs = 1_000;

/** For how long a channel that was full is not asked for again. */
const fullMs = 50;

/**
 * A channel's calls under way at once, over all processes: never more than `atOnce` while processes renew their room,
 * which they do every second. A process keeps the room it used last, so that a call seldom waits for the database. The
 * room of a process that ended is free after ten seconds.
 */
export function createCallsAtOnce(store: Store, onError: (error: unknown) => void): AtOnceGate {
  const processId = randomUUID();
  const channels = new Map<string, Channel>();
  let tending: NodeJS.Timeout | undefined;

  function hold(channelId: string, channel: Channel): Promise<void> {
    channel.asking ??= (async () => {
      try {
        const wanted = Math.max(channel.underWay, channel.most) + channel.waiting;
        const { atOnce } = channel;
        const asked = performance.now();
        // What this gives back may be another process's before the answer is here.
        channel.room = Math.min(channel.room, wanted);
        channel.room = await holdRoom(store, { channelId, processId, atOnce, wanted });
        channel.roomUntilMs = channel.atOnce < atOnce ? 0 : asked + roomMs;
        channel.most = channel.underWay;
        if (channel.room < wanted) channel.fullUntilMs = performance.now() + fullMs;
      } finally {
        channel.asking = undefined;
      }
    })();
    return channel.asking;
  }

  function tend(): void {
    for (const [channelId, channel] of channels) {
      // With nothing asked for, so that no answer comes after those to whoever is here next.
      if (isIdle(channel)) channels.delete(channelId);
      else hold(channelId, channel).catch(onError);
    }
    if (channels.size > 0) return;
    clearInterval(tending);
    tending = undefined;
  }

  async function wait(channelId: string, channel: Channel): Promise<boolean> {
    channel.waiting += 1;
    try {
      while (performance.now() >= channel.fullUntilMs) {
        await hold(channelId, channel);
        if (letIn(channel)) return true;
      }
      return letIn(channel);
    } finally {
      channel.waiting -= 1;
    }
  }

  return {
    enter: (channelId, atOnce) => {
      let channel = channels.get(channelId);
      if (!channel) channels.set(channelId, (channel = unknownChannel(atOnce)));
      // Less than was shared out: every process asks for its part of it anew.
      if (atOnce < channel.atOnce) channel.roomUntilMs = 0;
      channel.atOnce = atOnce;
      tending ??= setInterval(tend, tendMs).unref();
      if (letIn(channel)) return true;
      return performance.now() >= channel.fullUntilMs && wait(channelId, channel);
    },
    leave: (channelId) => {
      const channel = channels.get(channelId);
      if (channel) channel.underWay -= 1;
    },
  };
}

function letIn(channel: Channel): boolean {
  const isFree = channel.underWay < Math.min(channel.room, channel.atOnce);
  if (!isFree || performance.now() >= channel.roomUntilMs) return false;
  channel.underWay += 1;
  channel.most = Math.max(channel.most, channel.underWay);
  return true;
}

function isIdle({ room, most, underWay, waiting, asking }: Channel): boolean {
  return asking === undefined && room + most + underWay + waiting === 0;
}

function unknownChannel(atOnce: number): Channel {
  return { room: 0, roomUntilMs: 0, underWay: 0, most: 0, waiting: 0, atOnce, fullUntilMs: 0, asking: undefined };
}
