import type { ChannelRecord, KeyRecord } from "#lib/channel/store/admin-channels";
import { hasLiveCredential } from "./live-credential.ts";
import { idleDays, rsaBitsMin, soonDays, type KeyWarning } from "./model/key-warning.ts";

const dayMs = 86_400_000;

/** The fewest bits of a prefix; a wider block holds the addresses of several organizations. */
const widest = { v4: 8, v6: 32 };

/** What an administrator should mend about a channel; of its keys nothing where it has no live key or client. */
export function keyWarnings(
  channel: ChannelRecord,
  { practices, now }: { readonly practices: number; readonly now: Date },
): readonly KeyWarning[] {
  const reach = channel.practices.length === 0 ? [{ type: "no-practices" } as const] : [];
  if (!hasLiveCredential(channel)) return reach;
  return [
    ...reach,
    ...ofKeys(channel, now),
    ...ofClient(channel, now),
    ...(practices > 2 && channel.practices.length === practices ? [{ type: "every-practice" } as const] : []),
    ...channel.networks.filter(isWide).map((network) => ({ type: "wide-network", network }) as const),
    ...(channel.callsPerSecond === undefined ? [{ type: "no-rate" } as const] : []),
    ...(channel.owner === undefined ? [{ type: "no-owner" } as const] : []),
  ];
}

function ofKeys({ keys }: ChannelRecord, now: Date): readonly KeyWarning[] {
  const live = keys.filter((key) => key.live);
  return live.flatMap((key): KeyWarning[] => {
    const { lastFour } = key;
    return [
      ...(endsSoon(key, now) && live.length === 1 ? [{ type: "ends-soon", lastFour } as const] : []),
      ...(isIdle(key, now) ? [{ type: "idle", lastFour } as const] : []),
    ];
  });
}

function ofClient({ client }: ChannelRecord, now: Date): readonly KeyWarning[] {
  if (client?.live !== true) return [];
  const isWeak = client.rsaBits !== undefined && client.rsaBits < rsaBitsMin;
  return [
    ...(isWeak ? [{ type: "client-weak" } as const] : []),
    ...(endsSoon(client, now) ? [{ type: "client-ends-soon" } as const] : []),
    ...(isIdle(client, now) ? [{ type: "client-idle" } as const] : []),
  ];
}

type KeyUse = Pick<KeyRecord, "createdAt" | "expiresAt" | "lastUsedAt">;

function endsSoon({ expiresAt }: KeyUse, now: Date): boolean {
  return expiresAt.getTime() - now.getTime() < soonDays * dayMs;
}

function isIdle({ createdAt, lastUsedAt }: KeyUse, now: Date): boolean {
  return now.getTime() - (lastUsedAt ?? createdAt).getTime() > idleDays * dayMs;
}

function isWide(network: string): boolean {
  const [address = "", bits] = network.split("/");
  return bits !== undefined && Number(bits) < (address.includes(":") ? widest.v6 : widest.v4);
}
