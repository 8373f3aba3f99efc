type Channel = { left: number; atMs: number };

/** Counts the bytes that a channel stores. Returns 0 within its limit, else the milliseconds until they would fit. */
export type ByteQuota = (channelId: string, bytes: number) => number;

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
