"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { chooseRow } from "#components/keyboard/row-chosen";

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
      if (showsPreview() && !isOnName(link, event)) {
        event.preventDefault();
        link.focus({ preventScroll: true });
        chooseRow(link);
        return;
      }
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

/** Where a pane beside the list has room, a row is chosen by a click and opened by its name, a second click or Enter. */
function showsPreview(): boolean {
  return matchMedia("(width >= 80rem)").matches && document.querySelector('[data-preview="on"]') !== null;
}

/** Whether a click was on the words of the link, which covers the whole row. A key that presses it clicks nowhere. */
function isOnName(link: HTMLAnchorElement, { clientX: x, clientY: y, detail }: MouseEvent): boolean {
  if (detail !== 1) return true;
  return [...link.getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
}

/** A case, with the list it is opened from where that is not the whole queue: on it, "next" means next in that list. */
function hrefFrom({ pathname }: HTMLAnchorElement, { search }: Location): string {
  return search === "" ? pathname : `${pathname}?list=${encodeURIComponent(search.slice(1))}`;
}
