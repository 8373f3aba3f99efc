"use client";

import { useEffect } from "react";
import { tellTabs } from "./session-tabs.tsx";

/** Stands on a page where the session of this browser changes. */
export function TellTabs() {
  useEffect(() => {
    tellTabs();
    return tellTabs;
  }, []);
  return null;
}
