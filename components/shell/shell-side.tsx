"use client";

import {
  Building2,
  ChartColumn,
  ChevronsUpDown,
  House,
  Inbox,
  KeyRound,
  ScrollText,
  Users,
  type IconNode,
} from "lucide";
import Link from "next/link";
import type { Role } from "#lib/access/model/actor";
import { Icon } from "./icon.tsx";
import { signOut } from "./actions.ts";
import { HelpLink } from "#components/keyboard/help-link";
import { OpenButton } from "#components/keyboard/open-button";
import { Mark } from "./mark.tsx";
import { Button } from "#components/form/plain-button";
import { initialsOf } from "#components/text/initials";
import { placesOf, type PlaceId } from "./places.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import { classNames } from "./class-names.tsx";
import { useInSight } from "#components/list/use-in-sight";

const icons = {
  home: House,
  queue: Inbox,
  reports: ChartColumn,
  channels: KeyRound,
  practices: Building2,
  people: Users,
  audit: ScrollText,
} as const satisfies Record<PlaceId, IconNode>;

type Props = {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly current: PlaceId | "account" | "help";
  readonly theme: string;
  /** Icons alone, on a page that needs the width. */
  readonly slim: boolean;
};

/** Where a signed-in person can go, and who they are; drawn from a few words, as a list's rows are. */
export function ShellSide({ name, roles, current, theme, slim }: Props) {
  const labelClass = slim ? "lg:max-[100rem]:sr-only" : "lg:max-xl:sr-only";
  return (
    <header className="border-line bg-canvas max-lg:border-b lg:border-e print:hidden">
      <div className="flex items-center gap-x-1 px-3 py-2 lg:sticky lg:top-(--banner) lg:h-[calc(100dvh-var(--banner))] lg:flex-col lg:items-stretch lg:gap-y-1 lg:px-2 lg:py-3">
        <Link
          href="/"
          prefetch={false}
          className="flex shrink-0 items-center gap-2 rounded-md p-2 max-lg:min-h-11 max-lg:p-1 max-[24rem]:hidden lg:mb-3"
        >
          <Mark size={24} />
          <span className={classNames("font-semibold whitespace-nowrap max-lg:sr-only", labelClass)}>
            Prior authorization
          </span>
        </Link>
        <Places roles={roles} current={current} labelClass={labelClass} />
        <div className="ms-auto flex shrink-0 gap-y-1 max-lg:items-center lg:ms-0 lg:mt-auto lg:grid">
          <div className="max-lg:hidden">
            <OpenButton text={labelClass} />
          </div>
          <HelpLink text={labelClass} />
          <Account name={name} roles={roles} theme={theme} labelClass={labelClass} />
        </div>
      </div>
    </header>
  );
}

type PartProps = {
  /** What the words beside an icon are hidden by where there is no room for them. */
  readonly labelClass: string;
};

/** On a small screen words alone, in one line: a second line of places would take the room of a case. */
function Places({ roles, current, labelClass }: Pick<Props, "roles" | "current"> & PartProps) {
  const row = useInSight<HTMLElement>(current);
  return (
    <nav
      ref={row}
      aria-label="Places"
      className="scrolled-row flex min-w-0 max-lg:flex-1 max-lg:overflow-x-auto max-lg:p-0.5 lg:flex-col lg:gap-y-0.5"
    >
      {placesOf(roles).map(({ id, href, name }) => {
        return (
          <Link
            key={id}
            href={href}
            prefetch={false}
            title={name}
            aria-current={id === current ? "page" : undefined}
            className="flex min-h-9 shrink-0 items-center gap-2.5 rounded-md px-2.5 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
          >
            <Icon of={icons[id]} size={18} className="shrink-0 max-lg:hidden" />
            <span className={labelClass}>{name}</span>
          </Link>
        );
      })}
    </nav>
  );
}

/** Who is signed in, and what is theirs; folded away until it is asked for. */
function Account({ name, roles, theme, labelClass }: Omit<Props, "current" | "slim"> & PartProps) {
  return (
    <details data-hanging="" className="relative">
      <summary className="flex min-h-10 list-none items-center gap-2 rounded-md px-1.5 hover:bg-hover pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-inverse text-xs font-bold text-on-inverse"
        >
          {initialsOf(name)}
        </span>
        <span className="sr-only">Account</span>
        <span className={classNames("grid min-w-0 max-lg:sr-only", labelClass)}>
          <span className="truncate font-semibold">{name}</span>
          <span className="truncate text-xs text-ink-faint">{roles.join(", ")}</span>
        </span>
        <Icon
          of={ChevronsUpDown}
          size={14}
          className={classNames("ms-auto shrink-0 text-ink-faint max-lg:hidden", labelClass)}
        />
      </summary>
      <div className="appear absolute z-30 w-64 rounded-lg border border-line bg-surface p-2 shadow-lg max-lg:end-0 max-lg:mt-1 lg:start-0 lg:bottom-full lg:mb-1">
        <p className="px-2 pt-1 pb-2">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block truncate text-sm text-ink-faint">{roles.join(", ")}</span>
        </p>
        <Link
          href="/account"
          prefetch={false}
          className="flex min-h-8 items-center rounded-md px-2 text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
        >
          Your account
        </Link>
        <div className="lg:hidden">
          <OpenButton />
        </div>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-2 border-t border-line px-2 pt-3 pb-1">
          <form action={signOut}>
            <Button>Sign out</Button>
          </form>
          <ThemeChoice current={theme} />
        </div>
      </div>
    </details>
  );
}
