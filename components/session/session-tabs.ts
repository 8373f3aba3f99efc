/** What the tabs of this browser tell each other by: only that something may be new, never who is signed in. */
const name = "session";

/** Tells the other tabs of this browser that its session may have ended, or be another; each then asks the server. */
export function tellTabs(): void {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(name);
  channel.postMessage("");
  channel.close();
}

/** Calls back whenever another tab tells, until the returned function is called. */
export function hearTabs(onTold: () => void): () => void {
  if (!("BroadcastChannel" in window)) return () => undefined;
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", onTold);
  return () => channel.close();
}
