import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { TabRow } from "./tab-row.tsx";

export type TabLink = {
  readonly href: string;
  readonly name: string;
  /** How much is behind it. */
  readonly count?: ReactNode | undefined;
  /** What is behind it wants somebody: a tone beside the count's own words. */
  readonly calls?: boolean | undefined;
};

type Props = {
  /** Of what they are the parts. */
  readonly label: string;
  readonly tabs: readonly TabLink[];
  /** The address of the one that is shown. */
  readonly current: string | undefined;
};

/**
 * One look for what chooses a part of a page, whether it is a link or a tab of the page itself. The ring of the focus is
 * inside, since the row cuts off what goes beyond it.
 */
export const tabClass =
  "relative inline-flex min-h-10 items-center gap-2 px-3 whitespace-nowrap text-ink-soft hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-11 after:absolute after:inset-x-3 after:-bottom-px after:h-0.5 after:rounded-full aria-[current]:text-ink aria-[current]:after:bg-ink aria-selected:text-ink aria-selected:after:bg-ink";

/** Parts of a page that are each an address of their own, in a row under its heading. */
export function TabLinks({ label, tabs, current }: Props) {
  return (
    <TabRow label={label} current={current}>
      <ul className="-mb-px flex min-w-max pb-px">
        {tabs.map(({ href, name, count, calls }, index) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={href === current ? "page" : undefined}
              // The first begins where the heading above does; on a phone the row's margin sees to that.
              className={classNames(tabClass, index === 0 && "md:ps-0.5 md:after:start-0.5")}
            >
              <TabName>{name}</TabName>
              {count !== undefined && <TabCount calls={calls}>{count}</TabCount>}
            </Link>
          </li>
        ))}
      </ul>
    </TabRow>
  );
}

/** Takes the room of its bold form always, so that choosing one moves none of the others. */
export function TabName({ children }: { readonly children: string }) {
  return (
    <span className="grid">
      <span className="col-start-1 row-start-1 in-aria-[current]:font-semibold in-aria-selected:font-semibold">
        {children}
      </span>
      <span aria-hidden className="invisible col-start-1 row-start-1 font-semibold">
        {children}
      </span>
    </span>
  );
}

/** How much is behind a tab. */
export function TabCount({
  calls = false,
  children,
}: {
  readonly calls?: boolean | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        "min-w-5 rounded-full px-1.5 text-center text-xs leading-5 font-semibold tabular-nums",
        calls ? "bg-bad-wash text-bad" : "bg-selected text-ink-soft",
      )}
    >
      {children}
    </span>
  );
}
