import { isTyped } from "#components/form/is-typed";
import { viewNames } from "#lib/messages/reviewer/queue";
import type { ListName } from "#lib/queue/model/saved-view";
import { enterForm } from "./enter-form.tsx";
import { chordTo, type Place } from "./place.tsx";
import { searchFor } from "./search.ts";
import { shortcuts } from "./shortcuts.ts";
import { keptListText, listOf } from "./kept-list.tsx";

export type Command = {
  readonly id: string;
  readonly name: string;
  readonly chord?: string | undefined;
  readonly run: () => void;
};

export type CommandGroup = { readonly title: string; readonly list: readonly Command[] };

export type Means = {
  readonly places: readonly Place[];
  readonly go: (href: string) => void;
  readonly single: boolean;
  readonly setSingle: (on: boolean) => void;
  /** Whether times stand in the reader's own zone rather than in the practice's. */
  readonly ownTimes: boolean;
  readonly setOwnTimes: (own: boolean) => void;
  readonly theme: string;
  readonly chooseTheme: (form: FormData) => Promise<void>;
  readonly signOut: () => Promise<void>;
};

/** What can be done from here: first with what is shown, then where to go, then how the pages look. */
export function commandsHere(means: Means): readonly CommandGroup[] {
  const { places, go } = means;
  const pages = places.map((place) => ({
    id: `go-${place.key}`,
    name: `Go to ${place.name}`,
    chord: chordTo(place),
    run: () => go(place.href),
  }));
  return [
    { title: "Here", list: formCommands() },
    { title: "Pages", list: pages },
    { title: "Queue", list: reviews(means) ? viewsOf(means) : [] },
    { title: "Settings", list: settingsOf(means) },
  ].filter(({ list }) => list.length > 0);
}

/** The ways to look at the queue, but for the first, which is the page itself. */
function viewsOf({ go }: Pick<Means, "go">): readonly Command[] {
  return Object.entries(viewNames)
    .filter(([view]) => view !== "release")
    .map(([view, name]) => ({ id: `view-${view}`, name: `Go to ${name}`, run: () => go(`/queue?view=${view}`) }));
}

/** The lists that the reader or their practices keep under a name. */
export function commandsOfViews(views: readonly ListName[], { go }: Pick<Means, "go">): readonly Command[] {
  return views.map(({ id, name, query }) => ({
    id: `saved-${id}`,
    name: `Go to ${name}`,
    run: () => go(query === "" ? "/queue" : `/queue?${query}`),
  }));
}

export function reviews({ places }: Pick<Means, "places">): boolean {
  return places.some(({ href }) => href === "/queue");
}

/** The forms on the page; choosing one leads to it and decides nothing. */
function formCommands(): readonly Command[] {
  return [...document.querySelectorAll<HTMLFormElement>("#main form[data-form]")]
    .filter((form) => form.closest("[data-row]") === null)
    .map((form) => {
      const act = form.dataset.form ?? "";
      const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
      return {
        id: `form-${act}`,
        name: button ? nameOf(button) : act,
        chord: shortcuts.find((shortcut) => shortcut.act === act)?.keys[0],
        run: () => void enterForm(form),
      };
    });
}

/** A button's words as they show now, without the key that is shown beside them. */
function nameOf(button: HTMLButtonElement): string {
  const isVisible = (node: Element) => node.ariaHidden !== "true" && getComputedStyle(node).display !== "none";
  const visible = [...button.childNodes].filter((node) => !(node instanceof Element) || isVisible(node));
  return button.ariaLabel ?? visible.map(({ textContent }) => textContent).join("");
}

function settingsOf({
  go,
  single,
  setSingle,
  ownTimes,
  setOwnTimes,
  theme,
  chooseTheme,
  signOut,
}: Means): readonly Command[] {
  const themes = [
    { value: "system", name: "Appearance as the system" },
    { value: "light", name: "Light appearance" },
    { value: "dark", name: "Dark appearance" },
  ].filter(({ value }) => value !== theme);
  return [
    { id: "account", name: "Go to your account", run: () => go("/account") },
    ...themes.map(({ value, name }) => ({ id: value, name, run: () => void chooseTheme(formOf("theme", value)) })),
    {
      id: "single-keys",
      name: single ? "Switch single-key shortcuts off" : "Switch single-key shortcuts on",
      run: () => setSingle(!single),
    },
    {
      id: "own-times",
      name: ownTimes ? "Show times in the practice's zone" : "Show times in your own zone",
      run: () => setOwnTimes(!ownTimes),
    },
    ...(isTyped() ? [] : [{ id: "sign-out", name: "Sign out", run: () => void signOut() }]),
  ];
}

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.set(name, value);
  return form;
}

const shortIdStart = /^[0-9a-f]{4,8}$/i;

/** What a text may name: a case of the list at hand, by how its short id begins, or anything the search finds. */
export function casesNamed(text: string, { places, go }: Pick<Means, "places" | "go">): readonly Command[] {
  const tasks = shortIdStart.test(text) ? (listOf(keptListText())?.tasks ?? []) : [];
  const found = tasks
    .filter((task) => task.slice(-8).startsWith(text.toLowerCase()))
    .slice(0, 5)
    .map((task) => ({ id: task, name: `Go to case ${task.slice(-8).toUpperCase()}`, run: () => go(`/tasks/${task}`) }));
  const searches = text.length > 2 && reviews({ places });
  return searches ? [...found, { id: "search", name: `Search for ${text}`, run: () => searchFor(text, go) }] : found;
}
