import { useState } from "react";
import { singleKeysCookie } from "./single-keys-cookie.tsx";

/** Whether single characters act, and the way to change it, which holds on every page from then on. */
export function useSingleKeys(known: boolean): readonly [boolean, (on: boolean) => void] {
  const [single, setSingle] = useState(known);
  return [
    single,
    (on) => {
      document.cookie = `${singleKeysCookie}=${on ? "on" : "off"}; path=/; max-age=31536000; samesite=lax`;
      document.documentElement.dataset.singleKeys = on ? "on" : "off";
      setSingle(on);
    },
  ];
}
