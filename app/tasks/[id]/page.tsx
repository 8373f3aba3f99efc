import { redirect } from "next/navigation";
import { CaseNav } from "#components/keyboard/case-nav";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { Shell } from "#components/shell/shell";
import { showTimesIn, shownZone } from "#components/text/time";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { administers, reaches } from "#lib/access/model/actor";
import { liveHeads } from "#lib/queue/live/live-heads";
import type { DeskStatus } from "#lib/queue/desk-status";
import { openCase } from "#lib/queue/open-case";
import { payerAwaySince } from "#lib/submission/payers-away";
import type { CaseView } from "#lib/task/views";
import { Assignment } from "./team/assignment.tsx";
import { CaseHeader } from "./header/case-header.tsx";
import { CaseNotes } from "./team/case-notes.tsx";
import { CaseSheet } from "./case-sheet.tsx";
import { DecisionAlert, DecisionDesk, type Shown } from "./decision/decision.tsx";
import { ClaimLine } from "./team/claim.tsx";
import { Desk } from "./decision/desk.tsx";
import { History } from "./team/history.tsx";
import { LiveCase } from "./header/live-case.tsx";
import { isWithService, Standing } from "./header/standing.tsx";
import { nowMs } from "#lib/platform/now";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly notes?: string | readonly string[] }>;
};

export default async function CasePage({ params, searchParams }: Props) {
  const { id } = await params;
  const allNotes = (await searchParams).notes === "all";
  const person = await requirePerson(`/tasks/${encodeURIComponent(id)}`);
  // Before the case itself, so that whatever happens in between is news.
  const heads = await liveHeads(contextOf(person));
  const found = await openCase(contextOf(person), { taskId: id, notes: allNotes ? "all" : "newest" });
  // `notFound()` here would leave an empty page without JavaScript; an address that is none is a whole 404.
  if (!found.ok) redirect("/not-found");
  const { view, desk } = found.value;
  showTimesIn(view.practice.timeZone);
  const awaySince = isWithService(view) ? await payerAwaySince(contextOf(person), { taskId: view.taskId }) : undefined;
  return (
    <Shell person={person} current="queue" title={`Case ${view.shortId}`}>
      <DecisionDesk
        shown={shownOf(view, await shownZone())}
        now={nowOf(desk)}
        place={{ taskId: view.taskId, practiceId: view.practice.id, personId: person.id }}
      >
        <CaseNav taskId={view.taskId} />
        {view.can.some((possible) => possible !== "recall") && (
          <a
            href="#decision"
            className="float-end ms-4 py-0.5 text-ink-soft underline hover:text-ink lg:hidden print:hidden"
          >
            To the decision
          </a>
        )}
        <LiveCase
          personId={person.id}
          taskId={view.taskId}
          base={{ [view.practice.id]: heads[view.practice.id] ?? 0 }}
        />
        <CaseHeader view={view} />
        <ClaimLine taskId={view.taskId} notes={desk.notes.length} claimable={view.can.length > 0}>
          <Assignment
            taskId={view.taskId}
            desk={{ assignee: desk.assignee, reviewers: desk.reviewers }}
            me={person.id}
          />
        </ClaimLine>
        <Standing view={view} awaySince={awaySince} />
        <DecisionAlert />
        <div className="grid gap-x-12 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr] print:block">
          <CaseSheet view={view} allNotes={allNotes}>
            <CaseNotes taskId={view.taskId} noteId={desk.noteId} list={desk.notes} />
          </CaseSheet>
          <Desk view={view} />
          <History
            view={view}
            readsRecord={[administers(person), person.audits].some((reach) => reaches(reach, [view.practice.id]))}
          />
        </div>
      </DecisionDesk>
    </Shell>
  );
}

/** What the browser is told of who is at work, and goes on hearing. */
function nowOf({ atMs, claim, readers }: DeskStatus): DeskStatus {
  return { atMs, claim, readers };
}

/** What every decision made on this page will name. */
function shownOf({ taskId, gate, revision, changedAt, can, requested, checks }: CaseView, zone: string): Shown {
  const warnings = checks.filter(({ needsReason }) => needsReason);
  return {
    taskId,
    gateId: gate?.id,
    digest: gate?.digest,
    revision: gate?.revision ?? revision.number,
    changedAt: changedAt.toISOString(),
    can,
    warnings: warnings.map(({ key, type }) => ({ key, brief: checkBrief(type) })),
    requested,
    zone,
    nowMs: nowMs(),
    key: crypto.randomUUID(),
  };
}
