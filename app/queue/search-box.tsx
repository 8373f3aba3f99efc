"use client";

import { createContext, useContext, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";

type SearchText = { readonly text: string; readonly hasFocus: boolean };

const NextSearch = createContext<RefObject<SearchText | undefined> | undefined>(undefined);

/** Keeps what is typed for the next search while the page of the one before it comes, which is another page. */
export function NextSearchProvider({ children }: { readonly children: ReactNode }) {
  return <NextSearch value={useRef<SearchText>(undefined)}>{children}</NextSearch>;
}

type Props = { readonly typed: string | undefined; readonly problem: boolean };

/** What is typed while a search is on its way stays, with the cursor, for it is the next search. */
export function SearchBox({ typed, problem }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const kept = useContext(NextSearch);
  useLayoutEffect(() => {
    const { current: input } = box;
    if (!input?.form || !kept) return undefined;
    let isNext = kept.current !== undefined;
    if (kept.current !== undefined) {
      input.value = kept.current.text;
      if (kept.current.hasFocus) input.focus();
    }
    const ending = new AbortController();
    const { signal } = ending;
    input.addEventListener("input", () => void (isNext = true), { signal });
    input.form.addEventListener("submit", () => void (isNext = false), { signal });
    // React empties a form once its action is done.
    input.form.addEventListener("reset", (event) => isNext && event.preventDefault(), { signal });
    return () => {
      ending.abort();
      const hasFocus = document.activeElement === input;
      kept.current = isNext && input.value !== "" ? { text: input.value, hasFocus } : undefined;
    };
  }, [kept]);
  return (
    <input
      key={typed}
      ref={box}
      data-search=""
      id="queue-search"
      name="text"
      type="search"
      required
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      defaultValue={typed}
      placeholder="Name, birth date, member ID or number"
      aria-invalid={problem || undefined}
      aria-describedby={problem ? "queue-search-problem" : undefined}
      className="block min-h-8.5 pointer-coarse:min-h-11 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2.5 text-ink placeholder:text-ink-faint aria-invalid:border-bad"
    />
  );
}
