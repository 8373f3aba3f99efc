import { redirect } from "next/navigation";
import { Shell } from "#components/shell/shell";
import { TestBanner } from "#components/shell/test-banner";
import { showTimesIn, shownZone } from "#components/text/time";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { administers, reaches } from "#lib/access/model/actor";
import { liveHeads } from "#lib/queue/live/live-heads";
import { openCase, type DeskView } from "#lib/queue/open-case";
import { payerAwaySince } from "#lib/submission/payers-away";
import type { CaseView } from "#lib/task/views";
import { env } from "#lib/platform/env";
import { nowMs } from "#lib/platform/now";
import { walkFrom } from "#lib/queue/walk";
import { caseAddress, listOf, readCaseAddress, type CaseAddress } from "./case-address.ts";
import { DecisionBar } from "./decision/decision-bar.tsx";
import { DecisionDesk, type ShownCase } from "./decision/decision.tsx";
import { DecisionPane } from "./decision/decision-pane.tsx";
import { EvidencePane } from "./evidence/evidence-pane.tsx";
import { ArchiveBar } from "./header/archive-bar.tsx";
import { CaseBar } from "./header/case-bar.tsx";
import { ChecksInBrief } from "./header/checks-in-brief.tsx";
import { Identity } from "./header/identity.tsx";
import { LiveCase } from "./header/live-case.tsx";
import { isWithService, Standing } from "./header/standing.tsx";
import { isEdited } from "./request/edit-groups.ts";
import { RequestSection } from "./request/request-pane.tsx";
import { Assignment } from "./team/assignment.tsx";
import { SnoozedBar, SnoozeMenu } from "./team/snoozing.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
};

/** One case: who and what above, the request beside its evidence, and what can be decided beside both. */
export default async function CasePage({ params, searchParams }: Props) {
  const { id } = await params;
  const address = readCaseAddress(await searchParams);
  const person = await requirePerson(caseAddress(encodeURIComponent(id), address));
  // Before the case itself, so that whatever happens in between is news.
  const heads = await liveHeads(contextOf(person));
  const [found, walk] = await Promise.all([
    openCase(contextOf(person), { taskId: id, notes: address.notes ?? "newest" }),
    walkFrom(contextOf(person), listOf(address.list), id),
  ]);
  // `notFound()` here would leave an empty page without JavaScript; an address that is none is a whole 404.
  if (!found.ok) redirect("/not-found");
  const { view, desk } = found.value;
  noteUnread(view);
  showTimesIn(view.practice.timeZone);
  const awaySince = isWithService(view) ? await payerAwaySince(contextOf(person), { taskId: view.taskId }) : undefined;
  const zone = await shownZone();
  const { atMs, readers } = desk;
  const place = { taskId: view.taskId, practiceId: view.practice.id, personId: person.id };
  const readsAuditLog = [administers(person), person.audits].some((reach) => reaches(reach, [view.practice.id]));
  return (
    <Shell person={person} current="queue" title={`Case ${view.shortId}`} panes>
      <DecisionDesk
        shown={{ ...shownOf(view, zone), list: address.list, place: walk.place }}
        now={{ atMs, readers }}
        place={place}
      >
        <LiveCase
          personId={person.id}
          taskId={view.taskId}
          base={{ [place.practiceId]: heads[place.practiceId] ?? 0 }}
        />
        <div className="flex min-h-full flex-col xl:h-[calc(100dvh-var(--banner))] xl:min-h-[40rem] print:block! print:h-auto!">
          {view.environment === "test" && env().DEMO !== "1" && <TestBanner />}
          <CaseBar
            taskId={view.taskId}
            shortId={view.shortId}
            practice={view.practice.name}
            walk={walk}
            list={address.list}
          />
          <Identity view={view} assignee={<WhoAndWhen view={view} desk={desk} me={person.id} zone={zone} />} />
          <Standing view={view} awaySince={awaySince} />
          <ArchiveBar view={view} href={caseAddress(view.taskId, address)} />
          <SnoozedBar view={view} snoozed={desk.snooze} />
          <ChecksInBrief view={view} />
          <Panes view={view} desk={desk} address={address} readsAuditLog={readsAuditLog} />
          <DecisionBar can={view.can} isOpen={view.gate?.status === "open"} isEdited={isEdited(view, address)} />
        </div>
      </DecisionDesk>
    </Shell>
  );
}

/** Whoever runs the service has to know what a person could not read. */
function noteUnread({ taskId, practice, unread }: CaseView): void {
  if (!Object.values(unread).some((failure) => failure !== undefined)) return;
  sharedDeps().log.error(
    { task: taskId, practice: practice.id, ...unread },
    "the archive did not give parts of a case",
  );
}

type WhoProps = { readonly view: CaseView; readonly desk: DeskView; readonly me: string; readonly zone: string };

/** Who works on the case, and whether now. */
function WhoAndWhen({ view, desk: { assignee, reviewers, snooze }, me, zone }: WhoProps) {
  return (
    <>
      <Assignment taskId={view.taskId} desk={{ assignee, reviewers }} me={me} />
      <SnoozeMenu view={view} snoozed={snooze} zone={zone} />
    </>
  );
}

type PanesProps = {
  readonly view: CaseView;
  readonly desk: DeskView;
  readonly address: CaseAddress;
  readonly readsAuditLog: boolean;
};

/** The request, its evidence and the decision, side by side where there is room. */
function Panes({ view, desk, address, readsAuditLog }: PanesProps) {
  return (
    <div className="grid min-h-0 flex-1 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(20rem,24rem)_minmax(0,1fr)_24rem] xl:grid-rows-1 print:flex! print:flex-col">
      <RequestSection view={view} address={address} />
      <section
        aria-label="Evidence"
        className="flex min-w-0 flex-col border-line max-xl:border-t lg:col-start-1 xl:col-start-2 xl:min-h-0 print:order-last"
      >
        <EvidencePane view={view} desk={desk} address={address} readsAuditLog={readsAuditLog} />
      </section>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1 xl:col-start-3 xl:row-span-1 xl:min-h-0 xl:overflow-y-auto">
        <DecisionPane view={view} editing={isEdited(view, address)} />
      </div>
    </div>
  );
}

/** What every decision made on this page will name. */
function shownOf(view: CaseView, zone: string): ShownCase {
  const { taskId, gate, revision, changedAt, can, requested, checks, determinations, recourse } = view;
  const warnings = checks.filter(({ needsReason }) => needsReason);
  return {
    taskId,
    gateId: gate?.id,
    digest: gate?.digest,
    revision: gate?.revision ?? revision.number,
    changedAt: changedAt.toISOString(),
    determinationId: determinations.find(({ standing }) => standing === "in-force")?.id,
    appeal: recourse?.terms,
    can,
    warnings: warnings.map(({ key, type }) => ({ key, brief: checkBrief(type) })),
    requested,
    zone,
    nowMs: nowMs(),
    key: crypto.randomUUID(),
  };
}
