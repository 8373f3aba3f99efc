"use client";

import { useEffect, useSyncExternalStore } from "react";
import { Button } from "#components/form/button";
import { KeyHint } from "#components/keyboard/key-hint";
import { formId } from "./bulk-form.ts";

const boxes = `input[type="checkbox"][form="${formId}"]`;

/**
 * What can be done with the rows that are chosen. It leads to a page that lists them; nothing happens here.
 * `list` is the address of the list they were chosen in, to come back to.
 */
export function BulkBar({ list }: { readonly list: string }) {
  const chosen = useSyncExternalStore(onChosen, chosenNow, () => "");
  const each = chosen === "" ? [] : chosen.split(",").map((acts) => acts.split(" "));
  const count = each.length;
  // Without a script nothing is known of what is chosen, and the page that follows says what cannot be done.
  const can = (act: string) => count === 0 || each.some((acts) => acts.includes(act));
  useEffect(() => onRange(), []);
  return (
    <form
      id={formId}
      data-chosen=""
      action="/queue/bulk"
      className="sticky bottom-3 z-10 mt-4 hidden w-fit max-w-full grid-cols-4 items-center gap-2 rounded-lg border border-line-strong bg-surface py-2 ps-4 pe-2 shadow-lg max-md:w-full max-md:ps-2 md:flex-wrap md:[body:has([form=bulk]:checked)_&]:flex max-md:[body:has([form=bulk]:checked)_&]:grid print:hidden!"
    >
      {/* The button that Enter in a box would press: shut, so that no act is taken that nobody chose. */}
      <button type="submit" disabled hidden>
        Nothing
      </button>
      <input type="hidden" name="list" value={list} />
      <p role="status" className="me-2 font-semibold whitespace-nowrap max-md:order-1 max-md:col-span-3 max-md:ps-2">
        {count > 0 && `${count} chosen`}
      </p>
      <Act value="assign" shortcut="a">
        Assign
      </Act>
      <Act value="snooze" shortcut="s" disabled={!can("snooze")}>
        Snooze
      </Act>
      <Act value="decline" shortcut="d" disabled={!can("decline")}>
        Decline
      </Act>
      <Act value="release" shortcut="r" disabled={!can("release")}>
        Release
      </Act>
      {!can("release") && (
        <p className="text-sm text-ink-soft max-md:order-4 max-md:col-span-4 max-md:ps-2">
          {can("decline") ? "Open a request before you release it with others." : "None awaits a release."}
        </p>
      )}
      <Button type="reset" className="border-transparent max-md:order-2">
        Clear
      </Button>
    </form>
  );
}

type ActProps = {
  readonly value: string;
  readonly shortcut: string;
  readonly disabled?: boolean | undefined;
  readonly children: string;
};

function Act({ value, shortcut, disabled, children }: ActProps) {
  return (
    <Button
      name="act"
      value={value}
      aria-keyshortcuts={shortcut}
      disabled={disabled}
      className="max-md:order-3 max-md:px-1!"
    >
      {children}
      <KeyHint chord={shortcut} />
    </Button>
  );
}

/** What can be done with each chosen row, in one text, so that the same choice is the same value. */
function chosenNow(): string {
  const all = [...document.querySelectorAll<HTMLInputElement>(`${boxes}:checked`)];
  return all.map(({ dataset }) => dataset.acts ?? "").join(",");
}

function onChosen(onChange: () => void): () => void {
  // A reset unchecks the boxes only after everyone has heard of it.
  const afterReset = () => void setTimeout(onChange);
  document.addEventListener("change", onChange);
  document.addEventListener("reset", afterReset);
  return () => {
    document.removeEventListener("change", onChange);
    document.removeEventListener("reset", afterReset);
  };
}

/** Shift and a click choose every row from the last one on. */
function onRange(): () => void {
  let last: HTMLInputElement | undefined;
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(boxes)) return;
    const all = [...document.querySelectorAll<HTMLInputElement>(boxes)];
    const [from, to] = [last ? all.indexOf(last) : -1, all.indexOf(target)];
    if (shiftKey && from >= 0) {
      for (const box of all.slice(Math.min(from, to), Math.max(from, to) + 1)) box.checked = target.checked;
    }
    last = target;
  };
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}
