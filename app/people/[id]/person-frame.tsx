import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { RecordFrame } from "#components/admin/record-frame";
import { AccountBadge } from "#components/list/account-badge";
import { Ago } from "#components/text/time";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { listChanges, type ListedChanges } from "#lib/change-request/list-changes";
import { personDoneText } from "#lib/messages/admin/person";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { showPerson, type ShownPerson } from "#lib/person/show-person";
import { personPath, type PersonTab } from "./paths.ts";

const tabNames: Readonly<Record<PersonTab, string>> = {
  overview: "Overview",
  roles: "Roles",
  sessions: "Sessions",
  history: "History",
};

export type OpenedPerson = {
  readonly viewer: PersonActor;
  readonly ctx: Context<PersonActor>;
  readonly person: ShownPerson;
  readonly waiting: ListedChanges;
};

/** The person of a tab, for who administers a practice of theirs; everybody else is told that they are not there. */
export async function openPerson(id: string, tab: PersonTab): Promise<OpenedPerson> {
  const viewer = await requirePerson(personPath(id, tab));
  const ctx = contextOf(viewer);
  const found = await showPerson(ctx, { id });
  if (!found.ok) redirect("/not-found");
  const waiting = await listChanges(ctx, { about: found.value.id, waiting: true });
  if (!waiting.ok) redirect("/not-found");
  return { viewer, ctx, person: found.value, waiting: waiting.value };
}

type Props = {
  readonly opened: OpenedPerson;
  readonly tab: PersonTab;
  readonly done?: string | string[] | undefined;
  readonly children: ReactNode;
};

/** What stands around every tab: who this is, and whether they can sign in. */
export function PersonFrame({ opened: { viewer, person, waiting }, tab, done, children }: Props) {
  return (
    <RecordFrame
      viewer={viewer}
      kind="person"
      name={person.name}
      badge={<AccountBadge status={person.status} />}
      lead={<Lead person={person} />}
      tabNames={tabNames}
      tabs={tabsOf(person)}
      tab={tab}
      pathOf={(each) => personPath(person.id, each)}
      message={personDoneText(done)}
      waiting={waiting}
    >
      {children}
    </RecordFrame>
  );
}

function Lead({ person: { name, email, status, seenAt } }: { readonly person: ShownPerson }) {
  return (
    <>
      {email !== name && <span className="wrap-anywhere">{email}</span>}
      {status !== "invited" && (
        <span>
          {seenAt === null ? (
            "Never signed in"
          ) : (
            <>
              Last seen <Ago at={seenAt} />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** Sessions are shown of whoever can have some, to who administers all their practices. */
function tabsOf({ status, isWhole }: ShownPerson): readonly PersonTab[] {
  return status === "active" && isWhole
    ? ["overview", "roles", "sessions", "history"]
    : ["overview", "roles", "history"];
}
