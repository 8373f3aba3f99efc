/** What the tabs of this browser tell each other by: only that something may be new, never who is signed in. */
export const sessionTabs = "session";

/**
 * Tells the other tabs of this browser that its session may have ended, or be another; each then asks the server. For
 * the pages where the session changes, when they are shown and when they are left.
 */
export const tellTabs = () => new BroadcastChannel(sessionTabs).postMessage("");
