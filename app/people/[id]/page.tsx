import { ChevronLeft } from "lucide";
import Link from "next/link";
import { redirect } from "next/navigation";
import { AccountBadge } from "#components/list/account-badge";
import { ActForm } from "#components/form/act-form";
import { Facts } from "#components/list/facts";
import { Icon } from "#components/shell/icon";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { RolesFields } from "#components/form/roles-fields";
import { Section } from "#components/list/section";
import { SessionsTable } from "#components/list/sessions-table";
import { Shell } from "#components/shell/shell";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import { listPractices, type PracticeRecord } from "#lib/practice/list-practices";
import { showPerson, type ShownPerson } from "#lib/person/show-person";
import { contextOf, currentSessionId, requirePerson } from "#lib/person/session/person";
import type { PersonActor } from "#lib/access/model/actor";
import { AccountForms } from "./account-forms.tsx";
import { endSession, setRoles } from "./actions.ts";
import { personDoneText } from "#lib/messages/admin/person";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

export default async function PersonPage({ params, searchParams }: Props) {
  const { id } = await params;
  const viewer = await requirePerson(`/people/${encodeURIComponent(id)}`);
  const ctx = contextOf(viewer);
  const [found, practices] = [await showPerson(ctx, { id }), await listPractices(ctx)];
  if (!found.ok || !practices.ok) redirect("/not-found");
  const person = found.value;
  const isSelf = person.id === viewer.id;
  const done = personDoneText((await searchParams).done);
  return (
    <Shell person={viewer} current="people" title="Person">
      <nav aria-label="Back" className="mb-3">
        <Link
          href="/people"
          prefetch={false}
          className="-ms-1 inline-flex items-center gap-0.5 rounded-md py-0.5 pe-1 text-ink-soft hover:text-ink"
        >
          <Icon of={ChevronLeft} />
          People
        </Link>
      </nav>
      <PageHeader title={<PlainText>{person.name}</PlainText>} lead={<Lead person={person} />} />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {done}
        </Notice>
      )}
      <div className="max-w-3xl">
        <Roles viewer={viewer} person={person} practices={practices.value} />
        {person.isWhole ? (
          <>
            {person.status === "active" && <Sessions person={person} />}
            {!isSelf && <AccountForms person={person} />}
          </>
        ) : (
          <Notice>
            This person also works where you are no administrator. Their sessions, password and account are for an
            administrator of every practice.
          </Notice>
        )}
        <Section title="Facts" aside={<RecordLink personId={person.id} />}>
          <Facts
            list={[
              { name: "Id", value: <code className="font-mono text-sm">{person.id}</code> },
              { name: "Made", value: <Time at={person.createdAt} as="full" /> },
            ]}
          />
        </Section>
      </div>
    </Shell>
  );
}

type RolesProps = {
  readonly viewer: PersonActor;
  readonly person: ShownPerson;
  readonly practices: readonly PracticeRecord[];
};

function Roles({ viewer, person, practices }: RolesProps) {
  return (
    <Section title="What they may do" aside="holds from their next request on">
      {person.id === viewer.id && (
        <p className="mb-3 text-ink-soft">Nobody gives a role to themselves; you can give one up.</p>
      )}
      <ActForm act={setRoles}>
        <input type="hidden" name="personId" value={person.id} />
        <RolesFields practices={practices} isOverall={viewer.administers === "every"} held={person.grants} />
        <div>
          <SubmitButton>Save roles</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}

function Lead({ person }: { readonly person: ShownPerson }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <AccountBadge status={person.status} />
      <span className="wrap-anywhere">{person.email}</span>
    </span>
  );
}

async function Sessions({ person }: { readonly person: ShownPerson }) {
  const { sessions } = person;
  const own = await currentSessionId();
  return (
    <Section title="Sessions" aside={sessions.length === 0 ? "signed in nowhere" : `${sessions.length} open`}>
      {sessions.length > 0 && <SessionsTable list={sessions} own={own} personId={person.id} end={endSession} />}
      {sessions.some(({ id }) => id !== own) && sessions.length > 1 && (
        <ActForm act={endSession} className="mt-3 grid gap-2">
          <input type="hidden" name="personId" value={person.id} />
          <div>
            <SubmitButton>End all sessions</SubmitButton>
          </div>
        </ActForm>
      )}
    </Section>
  );
}

function RecordLink({ personId }: { readonly personId: string }) {
  return (
    <Link href={`/audit?person=${encodeURIComponent(personId)}`} prefetch={false} className="underline">
      In the record
    </Link>
  );
}
