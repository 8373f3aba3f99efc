import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { currentSession } from "#lib/person/session/person";
import { sessionLeft } from "#lib/person/session/session-left";
import type { PersonActor } from "#lib/access/model/actor";
import { Keyboard } from "#components/keyboard/keyboard";
import { LiveNotices } from "#components/live/live-notices";
import { PageTitle } from "./page-title.tsx";
import { placesOf, type PlaceId } from "./places.tsx";
import { UndoBar } from "#components/undo/undo-bar";
import { SessionGuard } from "#components/session/session-guard";
import { ShellSide } from "./shell-side.tsx";
import { chooseTheme, setSingleKeys, signOut, staySignedIn } from "./actions.ts";
import { classNames } from "./class-names.tsx";

type Props = {
  readonly person: PersonActor;
  readonly current: PlaceId | "account" | "help";
  readonly title: string;
  /** A page of panes, which reach its edges and need its width. */
  readonly panes?: boolean | undefined;
  readonly children: ReactNode;
};

/** What stands around every page of a signed-in person: where they can go, who they are, and the page itself. */
export async function Shell({ person, current, title, panes = false, children }: Props) {
  const single = (await currentSession())?.singleKeys ?? true;
  const kept = await cookies();
  const theme = kept.get("theme")?.value ?? "system";
  return (
    <div
      data-single-keys={single ? "on" : "off"}
      className={classNames(
        "flex flex-1 flex-col print:block! lg:grid lg:grid-cols-[3.5rem_minmax(0,1fr)]",
        panes ? "min-[100rem]:grid-cols-[13rem_minmax(0,1fr)]" : "xl:grid-cols-[13rem_minmax(0,1fr)]",
      )}
    >
      <PageTitle>{title}</PageTitle>
      <a
        href="#main"
        className="absolute start-2 top-2 z-20 print:hidden -translate-y-16 rounded-md bg-inverse px-3 py-2 font-semibold text-on-inverse focus:translate-y-0"
      >
        Skip to the page
      </a>
      <ShellSide name={person.name} roles={person.roles} current={current} theme={theme} slim={panes} />
      <main
        id="main"
        tabIndex={-1}
        className={classNames("min-w-0 flex-1 outline-none print:p-0", !panes && "px-4 py-6 md:px-8")}
      >
        {children}
      </main>
      <UndoBar />
      <Keyboard
        places={placesOf(person.roles).map(({ href, name, key }) => ({ href, name, key }))}
        single={single}
        chooseSingleKeys={setSingleKeys}
        ownTimes={kept.get("times")?.value === "own"}
        theme={theme}
        chooseTheme={chooseTheme}
        signOut={signOut}
      />
      <Session />
      {person.roles.includes("reviewer") && <LiveNotices personId={person.id} />}
    </div>
  );
}

async function Session() {
  const known = sessionLeft(await currentSession());
  return known && <SessionGuard known={known} stay={staySignedIn} />;
}
