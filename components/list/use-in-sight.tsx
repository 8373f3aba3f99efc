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
    // A browser leaves the focus where a part of it is in sight, be it under the fade at the end. Not at a press, which
    // would end on what has moved there meanwhile.
    const follow = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(":focus-visible")) bringInSight(around, target);
    };
    around.addEventListener("focusin", follow);
    return () => {
      around.removeEventListener("focusin", follow);
      resized.disconnect();
      around.removeEventListener("scroll", mark);
    };
  }, [current]);
  return row;
}

function showCurrent(row: HTMLElement): void {
  const one = row.querySelector<HTMLElement>("[aria-current], [aria-selected=true]");
  if (one) bringInSight(row, one);
}

/** The width of the fade at the end of a row. */
const fadePx = 40;

function bringInSight(row: HTMLElement, one: Element): void {
  const [around, inside] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
  const end = around.right - (row.dataset.more === "true" ? fadePx : 0);
  if (inside.left < around.left || inside.right > end)
    row.scrollLeft += inside.left - around.left - (around.width - inside.width) / 2;
}
