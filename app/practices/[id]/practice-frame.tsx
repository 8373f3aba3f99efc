import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { RecordFrame } from "#components/admin/record-frame";
import { ActDialog } from "#components/form/act-dialog";
import { StatusBadge } from "#components/list/status-badge";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { listChanges, type ListedChanges } from "#lib/change-request/list-changes";
import { practiceDoneText } from "#lib/messages/admin/practice";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { showPractice, type ShownPractice } from "#lib/practice/list-practices";
import { resume, suspend } from "./actions.ts";
import { practicePath, type PracticeTab } from "./paths.ts";

const tabNames: Readonly<Record<PracticeTab, string>> = {
  overview: "Overview",
  connections: "Payer connections",
  payers: "Payer directory",
  rules: "Rules",
  providers: "Providers",
  members: "Members",
  history: "History",
};

export type OpenedPractice = {
  readonly person: PersonActor;
  readonly ctx: Context<PersonActor>;
  readonly practice: ShownPractice;
  readonly waiting: ListedChanges;
};

/** The practice of a tab, for its administrators; everybody else is told that it is not there. */
export async function openPractice(id: string, tab: PracticeTab): Promise<OpenedPractice> {
  const person = await requirePerson(practicePath(id, tab));
  const ctx = contextOf(person);
  const found = await showPractice(ctx, { practiceId: id });
  if (!found.ok) redirect("/not-found");
  const waiting = await listChanges(ctx, { about: found.value.id, waiting: true });
  if (!waiting.ok) redirect("/not-found");
  return { person, ctx, practice: found.value, waiting: waiting.value };
}

type Props = {
  readonly opened: OpenedPractice;
  readonly tab: PracticeTab;
  /** What the address says was done. */
  readonly done?: string | string[] | undefined;
  readonly children: ReactNode;
};

/** What stands around every tab: which practice this is, whether it works, and the act that stops it. */
export function PracticeFrame({ opened: { person, practice, waiting }, tab, done, children }: Props) {
  return (
    <RecordFrame
      viewer={person}
      kind="practice"
      name={practice.name}
      badge={<StatusBadge status={practice.status} />}
      lead={
        <>
          <code className="self-center font-mono text-sm leading-4">{practice.id}</code>
          <span>{countText(practice.routes.length, "payer connection")}</span>
          <span>{practice.timeZone.replaceAll("_", " ")}</span>
        </>
      }
      actions={<StatusAct practice={practice} />}
      tabNames={tabNames}
      tab={tab}
      pathOf={(each) => practicePath(practice.id, each)}
      message={practiceDoneText(done)}
      waiting={waiting}
    >
      {children}
    </RecordFrame>
  );
}

function countText(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count === 0 ? "No" : count} ${one}s`;
}

function StatusAct({ practice: { id, name, status } }: Pick<OpenedPractice, "practice">) {
  const about = { practiceId: id };
  if (status === "suspended") {
    return (
      <ActDialog
        act={resume}
        about={about}
        label="Resume practice"
        tone="primary"
        title={`Resume ${name}?`}
        confirm="Resume practice"
      >
        <p>Channels can access it again at once. What was held while it was suspended needs a new release.</p>
      </ActDialog>
    );
  }
  return (
    <ActDialog
      act={suspend}
      about={about}
      label="Suspend practice"
      tone="danger"
      title={`Suspend ${name}?`}
      confirm="Suspend practice"
      confirmTone="danger"
    >
      <p>
        Nothing is submitted for this practice from now on, and no channel can access it. Requests that were released
        but aren&rsquo;t submitted yet are held. Payers&rsquo; answers are still recorded.
      </p>
    </ActDialog>
  );
}
