import { useState } from "react";

/** Whether single characters act, and the way to change it, which holds in every browser of this person from then on. */
export function useSingleKeys(
  known: boolean,
  choose: (on: boolean) => Promise<void>,
): readonly [boolean, (on: boolean) => void] {
  const [single, setSingle] = useState(known);
  return [
    single,
    (on) => {
      document.querySelector<HTMLElement>("[data-single-keys]")?.setAttribute("data-single-keys", on ? "on" : "off");
      setSingle(on);
      void choose(on);
    },
  ];
}
