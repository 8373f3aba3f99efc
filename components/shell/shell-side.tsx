"use client";

import { Activity, Building2, Inbox, KeyRound, ScrollText, Users, type IconNode } from "lucide";
import Link from "next/link";
import { signOut } from "#lib/person/sign-in/actions";
import type { Role } from "#lib/access/model/actor";
import { Icon } from "./icon.tsx";
import { OpenButton } from "#components/keyboard/open-button";
import { Mark } from "./mark.tsx";
import { Button } from "#components/form/plain-button";
import { placesOf, type PlaceId } from "./places.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

const icons = {
  queue: Inbox,
  health: Activity,
  channels: KeyRound,
  practices: Building2,
  people: Users,
  audit: ScrollText,
} as const satisfies Record<PlaceId, IconNode>;

type Props = {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly current: PlaceId | "account";
  readonly theme: string;
};

/** Where a signed-in person can go, and who they are; drawn from a few words, as a list's rows are. */
export function ShellSide({ name, roles, current, theme }: Props) {
  return (
    <header className="border-line bg-canvas max-lg:border-b lg:border-e print:hidden">
      <div className="flex items-center gap-x-1 px-3 py-2 lg:sticky lg:top-(--banner) lg:h-[calc(100dvh-var(--banner))] lg:flex-col lg:items-stretch lg:gap-y-1 lg:px-3 lg:py-4">
        <Link href="/" prefetch={false} className="flex items-center gap-2 rounded-md p-1 lg:mb-4 lg:px-2">
          <Mark />
          <span className="font-semibold max-lg:sr-only">Prior authorization</span>
        </Link>
        <Places roles={roles} current={current} />
        <details
          data-hanging=""
          className="account relative ms-auto lg:mt-auto lg:ms-0 lg:border-t lg:border-line lg:px-2 lg:pt-3"
        >
          <summary className="rounded-md px-2 whitespace-nowrap py-1.5 font-semibold pointer-coarse:py-3">
            Account
          </summary>
          <div className="max-lg:absolute max-lg:end-0 max-lg:z-10 max-lg:mt-1 max-lg:w-64 max-lg:rounded-md max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-3 max-lg:shadow-lg">
            <Account name={name} roles={roles} theme={theme} />
          </div>
        </details>
      </div>
    </header>
  );
}

function Places({ roles, current }: Pick<Props, "roles" | "current">) {
  return (
    <nav aria-label="Places" className="flex min-w-0 flex-wrap gap-x-1 lg:flex-col lg:flex-nowrap lg:gap-y-0.5">
      {placesOf(roles).map(({ id, href, name }) => {
        return (
          <Link
            key={id}
            href={href}
            prefetch={false}
            aria-current={id === current ? "page" : undefined}
            className="flex items-center gap-2 rounded-md px-2 py-1.5 pointer-coarse:min-h-11 text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-ink"
          >
            <Icon of={icons[id]} className="max-[24rem]:hidden" />
            {name}
          </Link>
        );
      })}
    </nav>
  );
}

function Account({ name, roles, theme }: Omit<Props, "current">) {
  return (
    <div className="grid gap-2.5">
      <div>
        <p className="truncate font-semibold">
          <Link href="/account" prefetch={false} className="hover:underline" title="Your account">
            {name}
          </Link>
        </p>
        <p className="text-sm text-ink-faint">{roles.join(", ")}</p>
      </div>
      <div className="-mx-2 grid">
        <OpenButton overlay="palette" />
        <OpenButton overlay="help" />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <form action={signOut}>
          <Button>Sign out</Button>
        </form>
        <ThemeChoice current={theme} />
      </div>
    </div>
  );
}
