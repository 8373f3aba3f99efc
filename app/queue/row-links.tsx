"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Opens a row's case without loading the whole page anew. One listener for all rows: a link component in each took the
 * server a quarter of the time it draws the list in. Without it, and with any key held, they are links as ever.
 */
export function RowLinks() {
  const router = useRouter();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const { target, defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      if (!(target instanceof Element)) return;
      const href = target.closest<HTMLAnchorElement>('[data-row] a[href^="/tasks/"]')?.getAttribute("href");
      if (!href) return;
      event.preventDefault();
      router.push(href);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [router]);
  return null;
}
