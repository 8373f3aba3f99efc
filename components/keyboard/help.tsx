"use client";

import { X } from "lucide";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Dialog } from "#components/shell/dialog";
import { HelpTextShown } from "#components/shell/help-text";
import { Icon } from "#components/shell/icon";
import { helpTexts, helpTopicOf, type HelpText } from "#lib/messages/help";
import { KeysShown } from "./keys-shown.tsx";
import { chordTo, type Place } from "./place.tsx";
import { shortcuts } from "./shortcuts.ts";

type Props = {
  readonly places: readonly Place[];
  readonly single: boolean;
  readonly setSingle: (on: boolean) => void;
  readonly close: () => void;
};

const groups = ["Lists and cases", "The case at hand", "Everywhere"] as const;

/** What this page is for and its words; then every shortcut there is, and the switch for single characters. */
export function Help({ places, single, setSingle, close }: Props) {
  const topic = helpTopicOf(usePathname()) ?? "home";
  const text: HelpText = helpTexts[topic];
  const goTo = places.map((place) => ({ does: place.name, keys: [chordTo(place)] }));
  return (
    <Dialog label="Help" close={close} className="help max-w-md">
      <div className="sticky top-0 flex items-center justify-between gap-4 border-b border-line bg-surface px-5 py-3">
        <h2 className="text-lg font-semibold">{text.title}: help</h2>
        <form method="dialog">
          <button
            aria-label="Close"
            className="grid size-8 cursor-pointer place-items-center rounded-md hover:bg-hover"
          >
            <Icon of={X} />
          </button>
        </form>
      </div>
      <div className="px-5 py-4">
        <HelpTextShown text={text} />
        <p className="mt-4">
          <Link href={`/help#${topic}`} prefetch={false} onClick={close} className="underline hover:no-underline">
            All help, and who to ask
          </Link>
        </p>
      </div>
      <h2 className="border-t border-line bg-sunken px-5 py-2 font-semibold">Keyboard shortcuts</h2>
      <div className="grid gap-y-5 px-5 py-4">
        {groups.map((group) => (
          <Group key={group} title={group} list={shortcuts.filter((shortcut) => shortcut.group === group)} />
        ))}
        <Group title="Go to" list={goTo} />
      </div>
      <label className="flex items-start gap-2 border-t border-line px-5 py-3">
        <input
          type="checkbox"
          checked={single}
          onChange={({ target }) => setSingle(target.checked)}
          className="mt-0.5 size-4 accent-inverse"
        />
        <span>
          Single-key shortcuts
          <span className="block text-sm text-ink-faint">
            When off, only Ctrl or Cmd combinations, the arrow keys and Esc work. Applies in all your browsers.
          </span>
        </span>
      </label>
    </Dialog>
  );
}

type Line = { readonly does: string; readonly keys: readonly string[] };

function Group({ title, list }: { readonly title: string; readonly list: readonly Line[] }) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold text-ink-faint">{title}</h3>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5">
        {list.map(({ does, keys }) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd className="flex items-start justify-end gap-2">
              {keys.map((chord) => (
                <KeysShown key={chord} chord={chord} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
