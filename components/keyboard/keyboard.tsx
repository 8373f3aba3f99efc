"use client";

import { usePathname, useRouter } from "next/navigation";
import { lazy, Suspense, useEffect } from "react";
import type { Place } from "./place.tsx";
import { closeOverlay, useOverlay } from "./overlay.ts";
import { settleFocus } from "./settle-focus.ts";
import { useKeys } from "./use-keys.ts";
import { useSingleKeys } from "./use-single-keys.ts";

const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));
const Palette = lazy(async () => {
  // React Aria writes a style element, which the policy of the page takes only with the nonce its scripts have.
  Object.assign(globalThis, { __webpack_nonce__: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce });
  return { default: (await import("./palette.tsx")).Palette };
});

type Props = {
  readonly places: readonly Place[];
  /** Whether the reader lets single characters act, as the server knows it. */
  readonly single: boolean;
  readonly chooseSingleKeys: (on: boolean) => Promise<void>;
  readonly ownTimes: boolean;
  readonly theme: string;
  readonly chooseTheme: (form: FormData) => Promise<void>;
  readonly signOut: () => Promise<void>;
};

/** The keys of every page of a signed-in person, and what they open; both are fetched when first asked for. */
export function Keyboard({ places, single: known, ownTimes, theme, chooseTheme, signOut, ...of }: Props) {
  const router = useRouter();
  const pathname = usePathname();
  const overlay = useOverlay();
  const [single, setSingle] = useSingleKeys(known, of.chooseSingleKeys);
  // With the page it was shown over it goes too.
  useEffect(() => overlay && (() => closeOverlay(overlay)), [overlay]);
  useEffect(() => settleFocus(pathname), [pathname]);
  useKeys({ places, single, go: (href) => router.push(href) });
  const setOwnTimes = (own: boolean) => {
    document.cookie = `times=${own ? "own" : "practice"}; path=/; max-age=31536000; samesite=lax`;
    router.refresh();
  };
  const close = () => overlay && closeOverlay(overlay);
  return (
    <Suspense>
      {overlay === "help" && <Help places={places} single={single} setSingle={setSingle} close={close} />}
      {overlay === "palette" && (
        <Palette
          {...{ places, single, setSingle, ownTimes, setOwnTimes, theme, chooseTheme, signOut, close }}
          go={(href) => router.push(href)}
        />
      )}
    </Suspense>
  );
}
