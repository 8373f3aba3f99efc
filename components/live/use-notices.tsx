import { useSyncExternalStore } from "react";
import { listenToStored, noteStored } from "./stored.tsx";

const key = "live-notices";

export type NoticeState = "on" | "off" | "denied" | "none" | "unknown";

/** Whether this browser notifies of what waits: asked for here, remembered here, and for every tab of it. */
export function useNotices(): {
  readonly state: NoticeState;
  readonly isOn: boolean;
  readonly turn: (on: boolean) => Promise<void>;
} {
  const state = useSyncExternalStore(listenToStored, stateNow, (): NoticeState => "unknown");
  return { state, isOn: state === "on", turn };
}

function stateNow(): NoticeState {
  if (!("Notification" in window)) return "none";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && localStorage.getItem(key) === "on" ? "on" : "off";
}

async function turn(on: boolean): Promise<void> {
  if (on && (await Notification.requestPermission()) === "granted") localStorage.setItem(key, "on");
  if (!on) localStorage.removeItem(key);
  noteStored();
}
