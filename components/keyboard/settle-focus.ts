import { enterForm } from "./enter-form.tsx";
import { focusRow, noteCase, rowAt, rowOf, rowsHere } from "./rows.ts";
import { enterSearch } from "./search.ts";

/** The page before this one; it outlives the pages, which each bring their own keyboard. */
let last: string | undefined;

/**
 * Puts the focus where the reader goes on: into the form the address names, on the row they came from, or at the
 * start of a page they were led to. From then on it never gets lost. A page just loaded keeps the browser's own order.
 */
export function settleFocus(pathname: string): () => void {
  const led = last !== undefined && last !== pathname;
  last = pathname;
  if (led) held = undefined;
  const stop = keepFocus(pathname);
  const [, task] = /^\/tasks\/([^/]+)$/.exec(pathname) ?? [];
  if (task !== undefined) noteCase(task);
  const { hash } = location;
  const form = hash && document.querySelector<HTMLFormElement>(`form[data-form="${CSS.escape(hash.slice(1))}"]`);
  if (form) enterForm(form);
  else if (hash === "#search") enterSearch();
  else if (!led) focusAnew();
  else if (isNowhere() && !focusRow(rowAt())) document.getElementById("main")?.focus({ preventScroll: true });
  return stop;
}

/** What last had the focus on this page, and whether it was in a row. It outlives a page that is drawn anew whole. */
let held: { readonly element: Element; readonly inRow: boolean } | undefined;

function keepFocus(pathname: string): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    const element = target instanceof Element && target.closest("#main") ? target : undefined;
    held = element && { element, inRow: rowOf(element) !== undefined };
  };
  const observer = new MutationObserver(() => location.pathname === pathname && focusAnew());
  document.addEventListener("focusin", onFocus);
  observer.observe(document.getElementById("main") ?? document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

/**
 * What has the focus can be taken away: a row by a decision or by somebody else, a search or a filter by the list it
 * led to. Then the row that took its place gets it, the first one found, or the start of the page. A reader who put
 * the focus nowhere themselves is left there.
 */
function focusAnew(): void {
  if (!held || held.element.isConnected || !isNowhere()) return;
  const { inRow } = held;
  held = undefined;
  if (!focusRow(inRow ? rowAt() : rowsHere()[0])) document.getElementById("main")?.focus({ preventScroll: true });
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
