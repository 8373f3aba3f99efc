"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { TextField } from "react-aria-components/TextField";
import { casesNamed, commandsHere, commandsOfViews, reviews, type Command, type Means } from "./commands.ts";
import type { ListName } from "#lib/queue/model/saved-view";
import { Dialog } from "#components/shell/dialog";
import { KeysShown } from "./keys-shown.tsx";

/** Go to a page or a case, or do something here, by typing part of its name. */
export function Palette({ close, ...means }: Means & { readonly close: () => void }) {
  const [groups] = useState(() => commandsHere(means));
  const views = useSavedViews(reviews(means));
  const [text, setText] = useState("");
  const terms = text.toLowerCase().split(/\s+/);
  const fits = ({ name }: Command) => terms.every((word) => name.toLowerCase().includes(word));
  const cases = { title: "Cases", list: casesNamed(text.trim(), means) };
  const saved = { title: "Saved views", list: commandsOfViews(views, means) };
  const shown = [...[...groups, saved].map(({ title, list }) => ({ title, list: list.filter(fits) })), cases];
  const all = shown.flatMap(({ list }) => list);
  const run = (id: string) => {
    const command = all.find((candidate) => candidate.id === id);
    flushSync(close);
    command?.run();
  };
  return (
    <Dialog label="Go to or do" close={close} className="max-w-lg">
      <Autocomplete inputValue={text} onInputChange={setText}>
        <TextField aria-label="A page, a case or something to do" className="sticky top-0 z-1">
          <Input
            placeholder="A page, a case or something to do"
            className="w-full border-b border-line bg-surface px-4 py-3 text-lg text-ink -outline-offset-2 placeholder:text-ink-faint"
          />
        </TextField>
        <Menu
          aria-label="Results"
          onAction={(id) => run(String(id))}
          renderEmptyState={() => <p className="px-2 py-3 text-ink-soft">No results.</p>}
          className="p-2 outline-none"
        >
          {shown
            .filter(({ list }) => list.length > 0)
            .map(({ title, list }) => (
              <MenuSection key={title} id={title} className="not-first:mt-2">
                <Header className="px-2 py-1 text-xs font-semibold text-ink-faint">{title}</Header>
                {list.map((command) => (
                  <Item key={command.id} command={command} single={means.single} />
                ))}
              </MenuSection>
            ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

/** Asked for when the palette opens, because no other page than the queue knows them. */
function useSavedViews(isReviewer: boolean): readonly ListName[] {
  const [views, setViews] = useState<readonly ListName[]>([]);
  useEffect(() => {
    if (!isReviewer) return undefined;
    const closing = new AbortController();
    const ask = async () => {
      try {
        const answer = await fetch("/live/views", { signal: closing.signal, cache: "no-store" });
        // Safe because our own server writes it.
        if (answer.ok) setViews((await answer.json()) as readonly ListName[]);
      } catch {
        // Without them the palette still has everything else.
      }
    };
    void ask();
    return () => closing.abort();
  }, [isReviewer]);
  return views;
}

function Item({ command, single }: { readonly command: Command; readonly single: boolean }) {
  const { id, name, chord } = command;
  return (
    <MenuItem
      id={id}
      textValue={name}
      className="flex min-h-8 pointer-coarse:min-h-11 cursor-pointer items-center justify-between gap-3 rounded-md px-2 py-1 outline-none focus:bg-selected data-focused:bg-selected"
    >
      {name}
      {single && chord !== undefined && (
        <span aria-hidden className="pointer-coarse:hidden">
          <KeysShown chord={chord} />
        </span>
      )}
    </MenuItem>
  );
}
