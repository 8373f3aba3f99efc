import { Activity, Building2, Inbox, KeyRound, ScrollText, Users, type IconNode } from "lucide";
import { cookies } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { chooseSingleKeys, signOut, staySignedIn } from "#lib/auth/actions";
import { currentSession } from "#lib/auth/person";
import { sessionLeft } from "#lib/auth/session-left";
import type { PersonActor } from "#lib/domain/actor";
import { Icon } from "./icon.tsx";
import { Button } from "./plain-button.tsx";
import { Keyboard } from "./keyboard/keyboard.tsx";
import { OpenButton } from "./keyboard/open-button.tsx";
import { LiveNotices } from "./live-notices.tsx";
import { Mark } from "./mark.tsx";
import { PageTitle } from "./page-title.tsx";
import { placesOf, type PlaceId } from "./places.tsx";
import { SessionGuard } from "./session/session-guard.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import { chooseTheme } from "./theme.ts";

const icons = {
  queue: Inbox,
  health: Activity,
  channels: KeyRound,
  practices: Building2,
  people: Users,
  audit: ScrollText,
} as const satisfies Record<PlaceId, IconNode>;

type Props = {
  readonly person: PersonActor;
  readonly current: PlaceId | "account";
  readonly title: string;
  readonly children: ReactNode;
};

/** What stands around every page of a signed-in person: where they can go, who they are, and the page itself. */
export async function Shell({ person, current, title, children }: Props) {
  const single = (await currentSession())?.singleKeys ?? true;
  return (
    <div
      data-single-keys={single ? "on" : "off"}
      className="flex flex-1 flex-col print:block! lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <PageTitle>{title}</PageTitle>
      <a
        href="#main"
        className="absolute start-2 top-2 z-20 print:hidden -translate-y-16 rounded-md bg-inverse px-3 py-2 font-semibold text-on-inverse focus:translate-y-0"
      >
        Skip to the page
      </a>
      <header className="border-line bg-canvas max-lg:border-b lg:border-e print:hidden">
        <div className="flex items-center gap-x-1 px-3 py-2 lg:sticky lg:top-(--banner) lg:h-[calc(100dvh-var(--banner))] lg:flex-col lg:items-stretch lg:gap-y-1 lg:px-3 lg:py-4">
          <Link href="/" prefetch={false} className="flex items-center gap-2 rounded-md p-1 lg:mb-4 lg:px-2">
            <Mark />
            <span className="font-semibold max-lg:sr-only">Prior authorization</span>
          </Link>
          <Places person={person} current={current} />
          <details
            data-hanging=""
            className="account relative ms-auto lg:mt-auto lg:ms-0 lg:border-t lg:border-line lg:px-2 lg:pt-3"
          >
            <summary className="rounded-md px-2 whitespace-nowrap py-1.5 font-semibold pointer-coarse:py-3">
              Account
            </summary>
            <div className="max-lg:absolute max-lg:end-0 max-lg:z-10 max-lg:mt-1 max-lg:w-64 max-lg:rounded-md max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-3 max-lg:shadow-lg">
              <Account person={person} />
            </div>
          </details>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-5 outline-none md:px-8 md:py-6 print:p-0">
        {children}
      </main>
      <Keys person={person} single={single} />
      <Session />
      {person.roles.includes("reviewer") && <LiveNotices personId={person.id} />}
    </div>
  );
}

async function Session() {
  const known = sessionLeft(await currentSession());
  return known && <SessionGuard known={known} stay={staySignedIn} />;
}

async function Keys({ person, single }: Pick<Props, "person"> & { readonly single: boolean }) {
  const kept = await cookies();
  return (
    <Keyboard
      places={placesOf(person.roles).map(({ href, name, key }) => ({ href, name, key }))}
      single={single}
      chooseSingleKeys={chooseSingleKeys}
      ownTimes={kept.get("times")?.value === "own"}
      theme={kept.get("theme")?.value ?? "system"}
      chooseTheme={chooseTheme}
      signOut={signOut}
    />
  );
}

function Places({ person, current }: Pick<Props, "person" | "current">) {
  return (
    <nav aria-label="Places" className="flex min-w-0 flex-wrap gap-x-1 lg:flex-col lg:flex-nowrap lg:gap-y-0.5">
      {placesOf(person.roles).map(({ id, href, name }) => {
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

function Account({ person }: Pick<Props, "person">) {
  return (
    <div className="grid gap-2.5">
      <div>
        <p className="truncate font-semibold">
          <Link href="/account" prefetch={false} className="hover:underline" title="Your account">
            {person.name}
          </Link>
        </p>
        <p className="text-sm text-ink-faint">{person.roles.join(", ")}</p>
      </div>
      <div className="-mx-2 grid">
        <OpenButton overlay="palette" />
        <OpenButton overlay="help" />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <form action={signOut}>
          <Button>Sign out</Button>
        </form>
        <ThemeChoice />
      </div>
    </div>
  );
}
