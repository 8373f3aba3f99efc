import { randomUUID } from "node:crypto";
import { holdRoom, roomMs } from "#lib/channel/store/call-limits";
import type { Store } from "#lib/db/db";

type Channel = {
  /** Calls that this process may have under way until `roomUntilMs`. */
  room: number;
  roomUntilMs: number;
  underWay: number;
  /** Most calls under way at once since the last renewal. */
  most: number;
  waiting: number;
  atOnce: number;
  fullUntilMs: number;
  pending: Promise<void> | undefined;
};

export type AtOnceGate = {
  /** True when the call is admitted; it must `leave` at its end. */
  readonly enter: (channelId: string, atOnce: number) => boolean | Promise<boolean>;
  readonly leave: (channelId: string) => void;
};

/** How often each process renews the room that it needs and returns the rest. */
const renewMs = 1_000;

/** How long a full channel is taken to be full without asking the database again. */
const fullMs = 50;

/**
 * Bounds the calls of a channel that are under way at once, over all processes: never more than `atOnce` while processes
 * renew their room, which they do every second. A process keeps the room that it used last, so that a call rarely waits
 * for the database. The room of a process that ended is free after ten seconds.
 */
export function createCallsAtOnce(store: Store, onError: (error: unknown) => void): AtOnceGate {
  const processId = randomUUID();
  const channels = new Map<string, Channel>();
  let renewing: NodeJS.Timeout | undefined;

  function hold(channelId: string, channel: Channel): Promise<void> {
    channel.pending ??= (async () => {
      try {
        const wanted = Math.max(channel.underWay, channel.most) + channel.waiting;
        const { atOnce } = channel;
        const requestedAt = performance.now();
        // Another process may get the room that this returns before the answer arrives.
        channel.room = Math.min(channel.room, wanted);
        channel.room = await holdRoom(store, { channelId, processId, atOnce, wanted });
        channel.roomUntilMs = channel.atOnce < atOnce ? 0 : requestedAt + roomMs;
        channel.most = channel.underWay;
        if (channel.room < wanted) channel.fullUntilMs = performance.now() + fullMs;
      } finally {
        channel.pending = undefined;
      }
    })();
    return channel.pending;
  }

  function renew(): void {
    for (const [channelId, channel] of channels) {
      // Only without a pending request, whose late answer would otherwise reach the channel's next entry.
      if (isIdle(channel)) channels.delete(channelId);
      else hold(channelId, channel).catch(onError);
    }
    if (channels.size > 0) return;
    clearInterval(renewing);
    renewing = undefined;
  }

  async function wait(channelId: string, channel: Channel): Promise<boolean> {
    channel.waiting += 1;
    try {
      while (performance.now() >= channel.fullUntilMs) {
        await hold(channelId, channel);
        if (admit(channel)) return true;
      }
      return admit(channel);
    } finally {
      channel.waiting -= 1;
    }
  }

  return {
    enter: (channelId, atOnce) => {
      let channel = channels.get(channelId);
      if (!channel) channels.set(channelId, (channel = unknownChannel(atOnce)));
      // The limit is below what was granted, so every process asks for its share again.
      if (atOnce < channel.atOnce) channel.roomUntilMs = 0;
      channel.atOnce = atOnce;
      renewing ??= setInterval(renew, renewMs).unref();
      if (admit(channel)) return true;
      return performance.now() >= channel.fullUntilMs && wait(channelId, channel);
    },
    leave: (channelId) => {
      const channel = channels.get(channelId);
      if (channel) channel.underWay -= 1;
    },
  };
}

function admit(channel: Channel): boolean {
  const isFree = channel.underWay < Math.min(channel.room, channel.atOnce);
  if (!isFree || performance.now() >= channel.roomUntilMs) return false;
  channel.underWay += 1;
  channel.most = Math.max(channel.most, channel.underWay);
  return true;
}

function isIdle({ room, most, underWay, waiting, pending }: Channel): boolean {
  return pending === undefined && room + most + underWay + waiting === 0;
}

function unknownChannel(atOnce: number): Channel {
  return { room: 0, roomUntilMs: 0, underWay: 0, most: 0, waiting: 0, atOnce, fullUntilMs: 0, pending: undefined };
}
