"use client";

import { useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { noteAddress } from "./note-address.tsx";
import { useInSight } from "./use-in-sight.tsx";
import { tabClass, TabCount, TabName } from "./tab-links.tsx";

export type Tab = {
  readonly id: string;
  readonly name: string;
  readonly count?: ReactNode | undefined;
  /** Its count calls for attention. */
  readonly calls?: boolean | undefined;
  /** The address of the page with this one chosen, for browsers without scripts. */
  readonly href: string;
  /** The key that chooses it, where keys are at hand. */
  readonly shortcut?: string | undefined;
  /** It fills the height there is by itself, and scrolls within. */
  readonly fills?: boolean | undefined;
  readonly panel: ReactNode;
};

type Props = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The one the address asks for. */
  readonly chosen: string;
  /** It stands in a pane: the bar stays, what is under it scrolls. */
  readonly inPane?: boolean | undefined;
};

/**
 * Parts of a page that are all on it, one shown at a time. With scripts a press changes it in place and in the address;
 * without, each is a link to the page as the server draws it with that part. On paper all of them stand.
 */
export function Tabs({ label, tabs, chosen, inPane = false }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [shown, choose] = useShown(chosen);
  const row = useInSight<HTMLDivElement>(shown);
  const onClick = (event: MouseEvent, tab: Tab) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    choose(tab);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === shown);
    const to = placeAfter(event.key, at, tabs.length);
    const tab = to === undefined ? undefined : tabs[to];
    if (!tab) return;
    event.preventDefault();
    choose(tab);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to ?? 0]?.focus();
  };
  return (
    <div className={classNames(inPane && "flex min-h-0 flex-1 flex-col")}>
      <div ref={row} className="scrolled-row overflow-x-auto border-b border-line print:hidden">
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs in it take the focus */}
        <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className="-mb-px flex min-w-max pb-px">
          {tabs.map((tab) => (
            <a
              key={tab.id}
              role="tab"
              id={`${id}-${tab.id}`}
              href={tab.href}
              aria-selected={tab.id === shown}
              aria-controls={`${id}-${tab.id}-panel`}
              aria-keyshortcuts={tab.shortcut}
              data-tab={tab.shortcut}
              tabIndex={tab.id === shown ? 0 : -1}
              onClick={(event) => onClick(event, tab)}
              className={classNames(tabClass, inPane && "xl:max-2xl:gap-1 xl:max-2xl:px-2 xl:max-2xl:after:inset-x-2")}
            >
              <TabName>{tab.name}</TabName>
              {tab.count !== undefined && <TabCount calls={tab.calls}>{tab.count}</TabCount>}
            </a>
          ))}
        </div>
      </div>
      {tabs.map((tab) => (
        <Panel key={tab.id} id={`${id}-${tab.id}`} tab={tab} isShown={tab.id === shown} inPane={inPane} />
      ))}
    </div>
  );
}

/** Which tab is shown, and how another is chosen. What the reader chose stays when the page is drawn anew. */
function useShown(chosen: string): readonly [string, (tab: Tab) => void] {
  const [shown, setShown] = useState(chosen);
  const [linked, setLinked] = useState(chosen);
  const [isOwn, setIsOwn] = useState(false);
  if (linked !== chosen) {
    setLinked(chosen);
    if (!isOwn) setShown(chosen);
  }
  const choose = ({ id, href }: Tab) => {
    setIsOwn(true);
    setShown(id);
    noteAddress(href);
  };
  return [shown, choose];
}

type PanelProps = { readonly id: string; readonly tab: Tab; readonly isShown: boolean; readonly inPane: boolean };

function Panel({ id, tab: { fills, panel }, isShown, inPane }: PanelProps) {
  return (
    <div
      role="tabpanel"
      id={`${id}-panel`}
      aria-labelledby={id}
      hidden={!isShown}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a panel that scrolls is reached by keyboard
      tabIndex={0}
      className={classNames(
        "-outline-offset-2",
        inPane && "min-h-0 flex-1",
        // Also what fills the height scrolls where there is too little of it, or the page would grow beyond the screen.
        inPane && classNames("xl:overflow-y-auto", fills && "flex flex-col"),
      )}
    >
      {panel}
    </div>
  );
}

/** The index of the tab that a key leads to; from the last one to the first, and back. */
function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
