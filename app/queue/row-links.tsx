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
      const link = target.closest("[data-row]")?.querySelector<HTMLAnchorElement>('a[href^="/tasks/"]');
      if (!link || target.closest("label, input, button")) return;
      // What says more when it is pointed at lies above the link, and leads there too.
      if (!link.contains(target)) {
        link.focus({ preventScroll: true });
        link.click();
        return;
      }
      event.preventDefault();
      router.push(hrefFrom(link, location));
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [router]);
  return null;
}

/** A case, with the list it is opened from where that is not the whole queue: on it, "next" means next in that list. */
function hrefFrom({ pathname }: HTMLAnchorElement, { search }: Location): string {
  return search === "" ? pathname : `${pathname}?list=${encodeURIComponent(search.slice(1))}`;
}
