import type { ChannelRecord } from "#lib/store/admin-channels";

/** What makes a channel's keys less safe than they could be. */
export type KeyWarning =
  | { readonly type: "never-ends" | "idle" | "ends-soon"; readonly lastFour: string }
  | { readonly type: "every-practice" }
  | { readonly type: "wide-network"; readonly network: string }
  | { readonly type: "no-rate" }
  | { readonly type: "no-owner" };

const dayMs = 86_400_000;

/** A key nobody used for so long had better be revoked. */
export const idleDays = 30;
export const soonDays = 7;

/** Blocks wider than these hold more than one organization's addresses. */
const widest = { v4: 8, v6: 32 };

export function keyWarnings(
  channel: ChannelRecord,
  { practices, now }: { readonly practices: number; readonly now: Date },
): readonly KeyWarning[] {
  const live = channel.keys.filter((key) => key.live);
  const ofKeys = live.flatMap(({ lastFour, expiresAt, createdAt, lastUsedAt }): KeyWarning[] => {
    const leftMs = expiresAt === undefined ? Infinity : expiresAt.getTime() - now.getTime();
    const unusedMs = now.getTime() - (lastUsedAt ?? createdAt).getTime();
    return [
      ...(expiresAt === undefined ? [{ type: "never-ends", lastFour } as const] : []),
      ...(leftMs < soonDays * dayMs && live.length === 1 ? [{ type: "ends-soon", lastFour } as const] : []),
      ...(unusedMs > idleDays * dayMs ? [{ type: "idle", lastFour } as const] : []),
    ];
  });
  if (live.length === 0) return [];
  return [
    ...ofKeys,
    ...(practices > 2 && channel.practices.length === practices ? [{ type: "every-practice" } as const] : []),
    ...channel.networks.filter(isWide).map((network) => ({ type: "wide-network", network }) as const),
    ...(channel.callsPerSecond === undefined ? [{ type: "no-rate" } as const] : []),
    ...(channel.owner === undefined ? [{ type: "no-owner" } as const] : []),
  ];
}

function isWide(network: string): boolean {
  const [address = "", bits] = network.split("/");
  return bits !== undefined && Number(bits) < (address.includes(":") ? widest.v6 : widest.v4);
}
