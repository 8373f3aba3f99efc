import { useEffect, useRef, type RefObject } from "react";

/**
 * A row that is wider than a small screen: it begins where the current one is in sight, and its end fades while there
 * is more beyond it.
 */
export function useInSight<Row extends HTMLElement>(current: string | undefined): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    const { current: around } = row;
    if (!around) return undefined;
    showCurrent(around);
    const mark = () => {
      around.dataset.more = String(around.scrollLeft + around.clientWidth < around.scrollWidth - 4);
    };
    mark();
    const resized = new ResizeObserver(mark);
    resized.observe(around);
    around.addEventListener("scroll", mark, { passive: true });
    return () => {
      resized.disconnect();
      around.removeEventListener("scroll", mark);
    };
  }, [current]);
  return row;
}

function showCurrent(row: HTMLElement): void {
  const one = row.querySelector<HTMLElement>("[aria-current], [aria-selected=true]");
  if (!one) return;
  const [around, inside] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
  if (inside.left < around.left || inside.right > around.right)
    row.scrollLeft += inside.left - around.left - (around.width - inside.width) / 2;
}
