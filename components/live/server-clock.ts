/** The server's clock as the newest page said it, and this browser's steady clock when that page came. */
let known: { readonly serverMs: number; readonly receivedMs: number } | undefined;

/**
 * What the server's clock says now, whatever this machine's own is set to. A page that is shown again from a cache tells
 * nothing new: only a later instant does.
 */
export function serverNow(serverMs: number): number {
  if (known === undefined || serverMs > known.serverMs) known = { serverMs: serverMs, receivedMs: performance.now() };
  return known.serverMs + performance.now() - known.receivedMs;
}
