"use client";

import type { ReactNode } from "react";
import { useInSight } from "./use-in-sight.tsx";

type Props = { readonly label: string; readonly current: string | undefined; readonly children: ReactNode };

/** A row of tabs; wider than a small screen it is scrolled. */
export function TabRow({ label, current, children }: Props) {
  const row = useInSight<HTMLElement>(current);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="scrolled-row overflow-x-auto border-b border-line max-md:-mx-4 max-md:px-1 print:hidden"
    >
      {children}
    </nav>
  );
}
