/** The audit chain of a channel: its rights, its keys and its denials. No practice's id can have a colon. */
export function channelChain(channelId: string): string {
  return `channel:${channelId}`;
}
