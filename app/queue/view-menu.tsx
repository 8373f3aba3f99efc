"use client";

import { useEffect, useRef, type ReactNode } from "react";

/** A menu that opens without a script; with one it also closes by Escape and by a click beside it. */
export function ViewMenu({ children }: { readonly children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => {
      if (menu.current) menu.current.open = false;
    };
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.current?.open) return;
      event.stopPropagation();
      close();
      menu.current.querySelector("summary")?.focus();
    };
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("keydown", onKey, true);
    };
  }, []);
  return (
    <details ref={menu} className="relative shrink-0 border-b border-line max-md:-me-4 print:hidden">
      {children}
    </details>
  );
}
