import { redirect } from "next/navigation";
import { ActDialog } from "#components/form/act-dialog";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { SessionsTable } from "#components/list/sessions-table";
import { currentSessionId } from "#lib/person/session/person";
import { endSession } from "../actions.ts";
import { personPath } from "../paths.ts";
import { openPerson, PersonFrame } from "../person-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** Where somebody is signed in. */
export default async function SessionsPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPerson(id, "sessions");
  const { person } = opened;
  if (!person.isWhole || person.status !== "active") redirect(personPath(id));
  const own = await currentSessionId();
  const { sessions, name } = person;
  return (
    <PersonFrame opened={opened} tab="sessions" done={(await searchParams).done}>
      {sessions.length === 0 ? (
        <Empty title="Not signed in anywhere" />
      ) : (
        <Panel
          title="Sessions"
          aside={sessions.length}
          flush
          actions={
            sessions.some((session) => session.id !== own) && (
              <ActDialog
                act={endSession}
                about={{ personId: person.id }}
                label="End all sessions"
                tone="danger"
                title={`End all sessions of ${name}?`}
                confirm="End all sessions"
                confirmTone="danger"
              >
                <p>{name} has to sign in again everywhere. What they were typing there may be lost.</p>
              </ActDialog>
            )
          }
        >
          <SessionsTable list={sessions} own={own} personId={person.id} end={endSession} />
        </Panel>
      )}
    </PersonFrame>
  );
}
