"use client";

import { useEffect } from "react";

/** Tells the server the reader's time zone; from the next page on it writes times in it. */
export function RememberZone() {
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    document.cookie = `zone=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`;
  }, []);
  return null;
}
