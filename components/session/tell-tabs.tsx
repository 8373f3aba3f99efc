"use client";

import { useEffect } from "react";
import { tellTabs } from "./session-tabs.ts";

/** Stands on the page that signing out leads to and signing in leaves: in between, this browser's session changed. */
export function TellTabs() {
  useEffect(() => {
    tellTabs();
    window.addEventListener("pagehide", tellTabs);
    return () => {
      window.removeEventListener("pagehide", tellTabs);
      tellTabs();
    };
  }, []);
  return null;
}
