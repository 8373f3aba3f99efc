"use client";

import { createContext, useContext, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";

type SearchText = {
  /** What was typed since the last search; undefined if nothing was. */
  readonly next: string | undefined;
  readonly hasFocus: boolean;
};

const LastSearch = createContext<RefObject<SearchText | undefined> | undefined>(undefined);

/** Keeps what is typed for the next search while the page of the one before it comes, which is another page. */
export function LastSearchProvider({ children }: { readonly children: ReactNode }) {
  return <LastSearch value={useRef<SearchText>(undefined)}>{children}</LastSearch>;
}

type Props = {
  /** What the list was searched for. */
  readonly typed: string | undefined;
  readonly foundNothing: boolean;
  readonly problem: boolean;
};

/**
 * Shows what was searched for. Where nothing was found, the cursor stays behind it, so that it can be corrected. What is
 * typed while a search is on its way stays instead, for it is the next search.
 */
export function SearchBox({ typed, foundNothing, problem }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const last = useContext(LastSearch);
  useLayoutEffect(() => {
    const { current: input } = box;
    if (!input?.form || !last) return undefined;
    const { next, hasFocus } = last.current ?? {};
    let isNext = next !== undefined;
    if (next !== undefined) input.value = next;
    if (hasFocus && (isNext || foundNothing)) {
      input.focus();
      input.setSelectionRange(input.value.length, input.value.length);
    }
    const ending = new AbortController();
    const { signal } = ending;
    input.addEventListener("input", () => void (isNext = true), { signal });
    input.form.addEventListener("submit", () => void (isNext = false), { signal });
    // React empties a form once its action is done.
    input.form.addEventListener("reset", (event) => isNext && event.preventDefault(), { signal });
    return () => {
      ending.abort();
      last.current = { next: isNext ? input.value : undefined, hasFocus: document.activeElement === input };
    };
  }, [last, foundNothing]);
  const describedBy = problem ? "queue-search-problem" : foundNothing ? "queue-found-nothing" : undefined;
  return (
    <input
      key={typed}
      ref={box}
      data-search=""
      id="queue-search"
      name="text"
      type="search"
      required
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      defaultValue={typed}
      placeholder="Name, birth date, member ID or number"
      aria-invalid={problem || undefined}
      aria-describedby={describedBy}
      className="block min-h-8.5 pointer-coarse:min-h-11 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2.5 text-ink placeholder:text-ink-faint aria-invalid:border-bad"
    />
  );
}
