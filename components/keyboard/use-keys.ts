import { useEffect, useEffectEvent } from "react";
import { acts, closeHanging, type Desk } from "./acts.ts";
import { chordOf, follow, type ChordStart } from "./chord.ts";
import { chordTo, type Place } from "./place.tsx";
import { noteRow, rowOf } from "./rows.ts";
import { isSingle, shortcuts } from "./shortcuts.ts";
import { keepList } from "./view-list.ts";

type Keys = Desk & { readonly places: readonly Place[]; readonly single: boolean };

/** Listens for the shortcuts, and keeps in mind which row of which list the reader is at. */
export function useKeys({ places, single, go }: Keys): void {
  const press = useEffectEvent((chord: string, typing: boolean) => {
    if (isSingle(chord) && (!single || typing)) return false;
    const place = places.find((candidate) => chordTo(candidate) === chord);
    if (place) go(place.href);
    if (place) return true;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(chord));
    return shortcut !== undefined && (!typing || shortcut.whileTyping === true) && acts[shortcut.act]({ go }, chord);
  });
  useEffect(() => {
    const chords = new Set([...shortcuts.flatMap(({ keys }) => keys), ...places.map(chordTo)]);
    let begun: ChordStart;
    const onKeyDown = (event: KeyboardEvent) => {
      const pressed = chordOf(event);
      // An open dialog has keys of its own; a key held down acts once, but for moving.
      if (pressed === undefined || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (isChoosing(event)) return;
      const typing = isTyping(event.target);
      const step = follow(chords, { pressed, begun: typing ? undefined : begun, nowMs: event.timeStamp });
      begun = typing ? undefined : step.begun;
      if (step.complete === undefined || (event.repeat && !moves.has(step.complete))) return;
      if (press(step.complete, typing)) event.preventDefault();
    };
    const onFocus = ({ target }: FocusEvent) => noteRow(asElement(target));
    const onClick = ({ target }: MouseEvent) => {
      closeHanging(asElement(target));
      if (asElement(target)?.closest("a") && rowOf(asElement(target))) keepList();
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("click", onClick, { capture: true });
    // Browser tests press no key before this. It stays when another page is shown without a reload.
    document.documentElement.dataset.keys = "";
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [places]);
}

const moves: ReadonlySet<string> = new Set(["j", "k", "ArrowDown", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowUp"]);

/** Types that take no text; characters typed there mean nothing to them. */
const notTyped = ["checkbox", "radio", "button", "submit", "file"];

/**
 * Whether a letter pressed here belongs to a field and is no shortcut. The boxes of a decision form count as fields, because
 * a sentence begun at one of them would assign the case or open its edit; its buttons do not.
 */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement)
    return !notTyped.includes(target.type) || target.form?.dataset.form !== undefined;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

/** The arrows move through the answers of a choice, and not to another case. */
function isChoosing({ target, key }: KeyboardEvent): boolean {
  return target instanceof HTMLInputElement && target.type === "radio" && key.startsWith("Arrow");
}

function asElement(target: EventTarget | null): Element | null {
  return target instanceof Element ? target : null;
}
