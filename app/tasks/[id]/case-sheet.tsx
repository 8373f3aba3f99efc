import type { ReactNode } from "react";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { CaseView } from "#lib/task/views";
import { ManualRecords } from "./payer/by-hand.tsx";
import { RecourseSection } from "./payer/recourse.tsx";
import { Appeal } from "./request/appeal.tsx";
import { Checks } from "./request/checks.tsx";
import { Connection } from "./request/connection.tsx";
import { Determinations } from "./payer/determinations.tsx";
import { Duplicates } from "./request/duplicates.tsx";
import { Evidence } from "./request/evidence.tsx";
import { needsReading, PayerAnswers } from "./payer/payer-answers.tsx";
import { PayerClock } from "./header/payer-clock.tsx";
import { Receipts } from "./payer/receipts.tsx";
import { LinkedCases } from "./request/linked-cases.tsx";
import { timesOf, WhatIsAsked, WhoAndWhen } from "./request/service-review.tsx";
import { SinceLastTime } from "./request/since-last-time.tsx";
import { WhatLeaves } from "./request/what-leaves.tsx";
import { WhoSentIt } from "./request/who-sent-it.tsx";

type Props = { readonly view: CaseView; readonly allNotes: boolean; readonly children: ReactNode };

/** Everything a person reads before they decide, in the order they need it. */
export function CaseSheet({ view, allNotes, children }: Props) {
  const { determinations, clock, submissions, gate, changes, duplicates, unknownMembers } = view;
  const readsFirst = needsReading(view);
  return (
    <div className="min-w-0">
      {readsFirst && view.answers.length > 0 && <PayerAnswers view={view} />}
      {determinations.length > 0 && (
        <Determinations
          taskId={view.taskId}
          list={determinations}
          voided={view.voided !== undefined}
          undecided={view.undecided}
        />
      )}
      <RecourseSection view={view} />
      <Appeal review={view.review} />
      <InformationRequested view={view} />
      <WhoAndWhen view={view} times={timesOf(view)} />
      {clock && <PayerClock clock={clock} />}
      <WhatIsAsked view={view} />
      <LinkedCases view={view} />
      <Evidence view={view} allNotes={allNotes} />
      {gate?.status === "open" && <Checks view={view} />}
      {gate?.status !== "open" && unknownMembers.length > 0 && (
        <Section title="Unrecognized and not submitted">
          <Paths list={unknownMembers} />
        </Section>
      )}
      {duplicates.length > 0 && <Duplicates view={view} />}
      {changes && <SinceLastTime changes={changes} />}
      <Connection view={view} />
      <WhoSentIt view={view} />
      {submissions.length > 0 && <Receipts list={submissions} />}
      {!readsFirst && view.answers.length > 0 && <PayerAnswers view={view} />}
      {gate && gate.calls.length > 0 && <WhatLeaves gate={gate} />}
      {view.manualRecords.length > 0 && <ManualRecords list={view.manualRecords} />}
      {children}
    </div>
  );
}

/** What somebody asks for. */
function InformationRequested({ view: { informationRequest, missing } }: { readonly view: CaseView }) {
  return (
    <>
      {informationRequest !== undefined && (
        <Section title="Requested information">
          <QuotedText>{informationRequest.text}</QuotedText>
        </Section>
      )}
      {missing.length > 0 && (
        <Section title="Missing" aside="required by this payer connection">
          <Paths list={missing} />
        </Section>
      )}
    </>
  );
}

/** Places in the service review. */
function Paths({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className="grid gap-1 font-mono text-sm wrap-anywhere">
      {list.map((path) => (
        <li key={path}>
          <PlainText>{path}</PlainText>
        </li>
      ))}
    </ul>
  );
}
