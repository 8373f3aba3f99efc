/** The audit chain of a channel: its rights, its keys and its denials. No practice's id can have a colon. */
export function channelChain(channelId: string): string {
  return `channel:${channelId}`;
}

/** The channel whose chain it is; undefined for any other chain. */
export function channelOfChain(chain: string): string | undefined {
  return chain.startsWith("channel:") ? chain.slice("channel:".length) : undefined;
}
