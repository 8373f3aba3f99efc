import type { Metadata } from "next";
import { ButtonLink } from "#components/button";
import { Empty } from "#components/empty";
import { PageHeader } from "#components/page-header";
import { Section } from "#components/section";
import { Shell } from "#components/shell";
import { contextOf, requirePerson } from "#lib/auth/person";
import type { PersonActor } from "#lib/domain/actor";
import { liveHeads } from "#lib/live/live-heads";
import { listQueue, listRecent } from "#lib/tasks/list-queue";
import type { QueueRow } from "#lib/tasks/views";
import { CaseTable } from "./case-table.tsx";
import { LiveQueue } from "./live-queue.tsx";
import { Views } from "./views.tsx";

export const metadata: Metadata = { title: "Queue" };

type Props = { readonly searchParams: Promise<{ readonly view?: string | string[] }> };

export default async function QueuePage({ searchParams }: Props) {
  const { view } = await searchParams;
  const person = await requirePerson(view === "recent" ? "/queue?view=recent" : "/queue");
  const reviews = person.roles.includes("reviewer") && person.practices.length > 0;
  return (
    <Shell person={person} current="queue">
      <PageHeader title="Queue" />
      {!reviews && <NoPractice />}
      {reviews && <Cases person={person} view={view === "recent" ? "recent" : "waiting"} />}
    </Shell>
  );
}

async function Cases({ person, view }: { readonly person: PersonActor; readonly view: "waiting" | "recent" }) {
  const ctx = contextOf(person);
  // Before the rows, so that whatever comes in between is news.
  const base = await liveHeads(ctx);
  const rows = await (view === "recent" ? listRecent(ctx) : listQueue(ctx));
  const shown = rows.map(({ taskId }) => taskId);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Views current={view} />
        <LiveQueue personId={person.id} base={base} shown={shown} view={view === "recent" ? "view=recent" : ""} />
      </div>
      {view === "recent" ? <Recent rows={rows} /> : <Waiting rows={rows} />}
    </>
  );
}

function Waiting({ rows }: { readonly rows: readonly QueueRow[] }) {
  const held = rows.filter(({ state }) => state === "transmit-held" || state === "void-held");
  const others = rows.filter((row) => !held.includes(row));
  if (rows.length === 0) {
    return (
      <Empty title="Nothing waits for you">
        <p>What an agent sends for your practices waits here for your release.</p>
        <p className="mt-4">
          <ButtonLink href="/queue?view=recent">See recent cases</ButtonLink>
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Section title="At a gate" aside={`${held.length}, oldest first`}>
        {held.length > 0 ? (
          <CaseTable caption="Cases at a gate, oldest first" rows={held} kind="held" />
        ) : (
          <p className="text-ink-soft">Nothing waits for a release.</p>
        )}
      </Section>
      {others.length > 0 && (
        <Section title="Needs a person" aside={`${others.length}`}>
          <CaseTable caption="Cases that need a person, oldest first" rows={others} kind="attention" />
        </Section>
      )}
    </>
  );
}

function Recent({ rows }: { readonly rows: readonly QueueRow[] }) {
  if (rows.length === 0) {
    return (
      <Empty title="No cases yet">
        <p>The first one appears when an agent sends an intake for one of your practices.</p>
      </Empty>
    );
  }
  return (
    <Section title="Recent" aside="the latest change first">
      <CaseTable caption="Recent cases, the latest change first" rows={rows} kind="recent" />
    </Section>
  );
}

function NoPractice() {
  return (
    <Empty title="You review for no practice">
      <p>An administrator can make you a reviewer of a practice. Its cases then wait for you here.</p>
    </Empty>
  );
}
