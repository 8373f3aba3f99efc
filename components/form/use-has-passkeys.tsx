"use client";

import { useSyncExternalStore } from "react";

/** Whether this browser can be asked for a passkey; false until its own code runs. */
export function useHasPasskeys(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => "PublicKeyCredential" in window,
    () => false,
  );
}
