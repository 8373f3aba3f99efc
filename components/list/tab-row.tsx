"use client";

import { useEffect, useRef, type ReactNode } from "react";

type Props = { readonly label: string; readonly current: string | undefined; readonly children: ReactNode };

/** A row of tabs that is wider than a small screen: it begins where the current one is in sight. */
export function TabRow({ label, current, children }: Props) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current: nav } = row;
    const tab = nav?.querySelector<HTMLElement>("[aria-current]");
    if (!nav || !tab) return;
    const [around, inside] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inside.left < around.left || inside.right > around.right)
      nav.scrollLeft += inside.left - around.left - (around.width - inside.width) / 2;
  }, [current]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="overflow-x-auto border-b border-line max-md:-mx-4 max-md:px-1 print:hidden"
    >
      {children}
    </nav>
  );
}
