"use client";

import { useEffect } from "react";
import { tellTabsHere } from "./session-tabs.tsx";

/** Stands on a page where the session of this browser changes. */
export function TellTabs() {
  useEffect(tellTabsHere, []);
  return null;
}
