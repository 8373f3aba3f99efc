type Channel = { left: number; atMs: number };

/** Counts what a channel sends to be kept: 0 where it is within its limit, else in how many milliseconds it will be. */
export type SentBytes = (channelId: string, bytes: number) => number;

const dayMs = 86_400_000;

/**
 * Bounds what one channel can make this process store: a day's worth at once, which fills again over a day. Counted in
 * this process alone and forgotten with it: it keeps disks from filling by an error or a grudge, and bills nobody.
 */
export function createSentBytes(perDay: number, nowMs: () => number = () => performance.now()): SentBytes {
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
