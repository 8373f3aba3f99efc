import type { SetupItem } from "#components/admin/setup-list";
import { hasLiveCredential } from "#lib/channel/live-credential";
import { channelPath } from "./paths.ts";
import { lastCallOf, type ChannelRecord } from "#lib/channel/list-channels";

/** What a channel needs before its agent can work, each read from the channel as it is. */
export function setupOf(channel: ChannelRecord): readonly SetupItem[] {
  return [
    { name: "Owner", isDone: channel.owner !== undefined, act: "Set an owner", href: "#about" },
    {
      name: "Practice access",
      isDone: channel.practices.length > 0,
      act: "Add a practice",
      href: channelPath(channel.id, "access"),
    },
    { name: "API key", isDone: hasLiveCredential(channel), act: "Create a key", href: channelPath(channel.id, "keys") },
    {
      name: "First call",
      isDone: lastCallOf(channel) !== undefined,
      act: "Send a call with the key",
      href: channelPath(channel.id, "activity"),
    },
  ];
}
