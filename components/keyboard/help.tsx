"use client";

import { X } from "lucide";
import { Dialog } from "#components/shell/dialog";
import { Icon } from "#components/shell/icon";
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

/** Every shortcut there is, and the switch for those that are a single character. */
export function Help({ places, single, setSingle, close }: Props) {
  const goTo = places.map((place) => ({ does: place.name, keys: [chordTo(place)] }));
  return (
    <Dialog label="Keyboard shortcuts" close={close} className="max-w-2xl">
      <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 className="text-lg font-semibold">Keyboard shortcuts</h2>
        <form method="dialog">
          <button
            aria-label="Close"
            className="grid size-8 cursor-pointer place-items-center rounded-md hover:bg-hover"
          >
            <Icon of={X} />
          </button>
        </form>
      </div>
      <div className="grid gap-x-10 gap-y-5 px-5 py-4 sm:grid-cols-2">
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
          Single characters are shortcuts
          <span className="block text-sm text-ink-faint">
            Off, only keys with Ctrl or Cmd, the arrows and Esc act. It holds in every browser of yours.
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
