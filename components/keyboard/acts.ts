import { isTyped } from "#components/form/is-typed";
import { openOverlay } from "./overlay.ts";
import { enterForm, formOf, leaveForm } from "./enter-form.tsx";
import { boxOf, focusRow, noteRow, rowAt, rowOf, rowsHere } from "./rows.ts";
import { chooseRow } from "./row-chosen.tsx";
import { enterSearch } from "./search.ts";
import type { Act } from "./shortcuts.ts";
import { keepList } from "./view-list.ts";

/** What an act needs of the page: to go somewhere without loading everything anew. */
export type Desk = { readonly go: (href: string) => void };

/** What each shortcut does. False: there was nothing to do, and the key keeps its meaning for the browser. */
export const acts: Readonly<Record<Act, (desk: Desk, chord: string) => boolean>> = {
  next: () => press('[data-go="next"]') || move(1),
  previous: () => press('[data-go="previous"]') || move(-1),
  "extend-next": () => extend(1),
  "extend-previous": () => extend(-1),
  select: () => toggle(boxOf(rowAt())),
  release: (desk) => withChosen("release") || decide(desk, "release"),
  decline: (desk) => withChosen("decline") || decide(desk, "decline"),
  "request-information": (desk) => decide(desk, "request-information"),
  // It only holds back what is about to leave, and seconds count, so it needs no second press.
  recall: (desk) =>
    press(undoButton) || (!rowOf(document.activeElement) && press(recallButton)) || decide(desk, "recall"),
  // It decides nothing and is undone by assigning the case to somebody else, so it needs no second press.
  "assign-to-me": () => press('form[data-form="assign-to-me"] button[type="submit"]'),
  tab: (_, chord) => press(`[data-tab="${chord}"]`),
  "next-document": () => press('[data-document="next"]'),
  "previous-document": () => press('[data-document="previous"]'),
  edit: () => press("[data-edit]"),
  snooze: (desk) => withChosen("snooze") || decide(desk, "snooze"),
  note: (desk) => decide(desk, "note"),
  assign: (desk) => withChosen("assign") || decide(desk, "assign"),
  confirm: confirmHere,
  preview: () => press("[data-preview-toggle]"),
  search: (desk) => {
    if (!enterSearch()) desk.go("/queue#search");
    return true;
  },
  help: () => opened("help"),
  palette: () => opened("palette"),
  back: leave,
};

function opened(overlay: "help" | "palette"): boolean {
  openOverlay(overlay);
  return true;
}

function press(selector: string): boolean {
  const link = document.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

/** On from the row that has the focus; at first, to the row the reader was at, or the first. */
function move(by: 1 | -1): boolean {
  const rows = rowsHere();
  if (rows.length === 0) return false;
  const here = rowOf(document.activeElement);
  const to = here ? (rows[rows.indexOf(here) + by] ?? here) : (rowAt() ?? rows[0]);
  if (!focusRow(to)) return false;
  if (to) chooseRow(to);
  return true;
}

function extend(by: 1 | -1): boolean {
  const from = boxOf(rowOf(document.activeElement));
  if (!from) return false;
  if (!from.checked) from.click();
  move(by);
  const to = boxOf(rowOf(document.activeElement));
  if (to && !to.checked) to.click();
  return true;
}

function toggle(box: HTMLInputElement | undefined): boolean {
  box?.click();
  return box !== undefined;
}

/** The form of what is done with several rows, where any are chosen. */
function chosenForm(): HTMLFormElement | undefined {
  const form = document.querySelector<HTMLFormElement>("form[data-chosen]");
  const boxes = form ? [...form.elements] : [];
  return form && boxes.some((box) => box instanceof HTMLInputElement && box.checked) ? form : undefined;
}

/** To the page that lists the chosen rows before anything is done with them. */
function withChosen(act: string): boolean {
  const button = chosenForm()?.querySelector<HTMLButtonElement>(`button[value="${act}"]`);
  button?.click();
  return button !== null && button !== undefined;
}

/** What takes back the decision made a moment ago: on whatever page, and on the page of its case. */
const undoButton = 'form[data-form="undo"] button[type="submit"]';
const recallButton = 'form[data-form="recall"] button[type="submit"]';

/** To the form of this decision on the page; from a row of a list, to the case and the form there. Never further. */
function decide({ go }: Desk, intent: string): boolean {
  const row = rowOf(document.activeElement);
  const form = (row ?? document).querySelector<HTMLFormElement>(`form[data-form="${intent}"]`);
  if (form) return enterForm(form);
  const href = row?.querySelector<HTMLAnchorElement>("a[href]")?.getAttribute("href");
  if (!row || !href) return false;
  noteRow(row);
  keepList();
  go(`${href}#${intent}`);
  return true;
}

/** Presses the one button of the decision form that has the focus; of several, none would be what was meant. */
function confirmHere(): boolean {
  const form = formOf(document.activeElement);
  if (form?.dataset.form === undefined) return false;
  const [button, another] = form.querySelectorAll<HTMLButtonElement>("button[type=submit]");
  if (!button || another) return false;
  button.click();
  return true;
}

/**
 * Out of a form to where the focus was, and what hung open with it closes; in a list, off with what is chosen; from
 * anywhere else on a case, back to its list, but never away from words.
 */
function leave(): boolean {
  const { activeElement } = document;
  if (formOf(activeElement)) {
    closeHanging();
    leaveForm();
    return true;
  }
  const chosen = chosenForm();
  chosen?.reset();
  if (chosen || closeHanging() || press("[data-preview-close]")) return true;
  return isTyped() ? false : press("[data-back]");
}

/** Closes what hangs open over the page, but for what holds this. */
export function closeHanging(but?: Element | null): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>("details[data-hanging][open]")];
  const others = open.filter((hanging) => !but || !hanging.contains(but));
  for (const hanging of others) hanging.open = false;
  return others.length > 0;
}
