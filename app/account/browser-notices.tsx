"use client";

import { Button } from "#components/form/button";
import { useNotices } from "#components/live/use-notices";

const texts = {
  on: "On. A case that comes to wait while you look at something else is announced by this browser.",
  off: "Off. This browser can announce that a case waits while you look at something else.",
  denied: "Blocked in this browser's settings for this site; allow notifications there first.",
} as const;

/** Notifications of this browser; it alone remembers the choice. */
export function BrowserNotices() {
  const { state, turn } = useNotices();
  // Known only in the browser; without JavaScript there is nothing to turn on.
  if (state === "unknown") return <p className="text-ink-soft">Needs JavaScript.</p>;
  if (state === "none") return <p className="text-ink-soft">This browser shows no notifications.</p>;
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status">{texts[state]}</p>
      {state !== "denied" && (
        <Button type="button" onClick={() => void turn(state === "off")}>
          {state === "off" ? "Turn on notifications" : "Turn off notifications"}
        </Button>
      )}
    </div>
  );
}
