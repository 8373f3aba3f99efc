export type ChannelTab = "overview" | "keys" | "access" | "webhooks" | "activity" | "history";

/** Where a tab of a channel's page is. */
export function channelPath(id: string, tab: ChannelTab = "overview"): string {
  const path = `/channels/${encodeURIComponent(id)}`;
  return tab === "overview" ? path : `${path}/${tab}`;
}
