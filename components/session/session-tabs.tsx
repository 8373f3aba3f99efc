/** What the tabs of this browser tell each other by: only that something may be new, never who is signed in. */
export const sessionTabs = "session";

/** Tells the other tabs of this browser that its session may have ended, or be another; each then asks the server. */
const tellTabs = () => new BroadcastChannel(sessionTabs).postMessage("");

/** Tells them now, and when this page is left: it is one where the session changes. */
export function tellTabsHere(): () => void {
  tellTabs();
  addEventListener("pagehide", tellTabs);
  return () => {
    removeEventListener("pagehide", tellTabs);
    tellTabs();
  };
}
