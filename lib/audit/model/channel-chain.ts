/**
 * The audit chain of a channel: its permissions, keys and denials. A practice's id cannot contain a colon, so the names
 * never collide.
 */
export function channelChain(channelId: string): string {
  return `channel:${channelId}`;
}

/** The channel of a chain; undefined for a chain of another kind. */
export function channelOfChain(chain: string): string | undefined {
  return chain.startsWith("channel:") ? chain.slice("channel:".length) : undefined;
}
