import { enterForm } from "./acts.ts";
import { focusRow, noteCase, rowAt, rowsHere } from "./rows.ts";
import { enterSearch } from "./search.ts";

/** The page before this one; it outlives the pages, which each bring their own keyboard. */
let last: string | undefined;

/**
 * Puts the focus where the reader goes on: into the form the address names, on the row they came from, or at the
 * start of a page they were led to. From then on, when what had the focus is taken away in a list, on the row that
 * took its place. A page just loaded keeps the browser's own order.
 */
export function settleFocus(pathname: string): () => void {
  const led = last !== undefined && last !== pathname;
  last = pathname;
  const [, task] = /^\/tasks\/([^/]+)$/.exec(pathname) ?? [];
  if (task !== undefined) noteCase(task);
  const { hash } = location;
  const form = hash && document.querySelector<HTMLFormElement>(`form[data-form="${CSS.escape(hash.slice(1))}"]`);
  if (form) enterForm(form);
  else if (hash === "#search") enterSearch();
  else if (led && isNowhere() && !focusRow(rowAt())) document.getElementById("main")?.focus({ preventScroll: true });
  return keepInList();
}

/** A row under the focus can be taken away by a decision or by somebody else: the one after it gets the focus. */
function keepInList(): () => void {
  let inRow = false;
  const onFocus = () => {
    inRow = document.activeElement?.closest("[data-row]") !== null;
  };
  const observer = new MutationObserver(() => {
    if (!inRow || !isNowhere()) return;
    inRow = false;
    if (rowsHere().length === 0 || !focusRow(rowAt())) document.getElementById("main")?.focus();
  });
  document.addEventListener("focusin", onFocus);
  observer.observe(document.getElementById("main") ?? document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
