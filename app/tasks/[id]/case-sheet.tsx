import type { ReactNode } from "react";
import { PlainText, QuotedText } from "#components/plain-text";
import { Section } from "#components/section";
import type { CaseView } from "#lib/tasks/views";
import { Attachments } from "./attachments.tsx";
import { SinceLastTime } from "./since-last-time.tsx";
import { Duplicates } from "./duplicates.tsx";
import { ByHand } from "./by-hand.tsx";
import { Checks } from "./checks.tsx";
import { Determinations } from "./determinations.tsx";
import { PayerClock } from "./payer-clock.tsx";
import { Receipts } from "./receipts.tsx";
import { ServiceReviewSheet } from "./service-review.tsx";
import { valueAt } from "./value-at.ts";
import { WhatLeaves } from "./what-leaves.tsx";

/** Everything a person reads before they decide, in the order they need it. */
export function CaseSheet({ view, children }: { readonly view: CaseView; readonly children: ReactNode }) {
  const { determinations, clock, sendings, notes, unknownMembers, review, gate } = view;
  return (
    <div className="min-w-0">
      {gate?.status === "open" && <Checks view={view} />}
      {view.duplicates.length > 0 && <Duplicates view={view} />}
      {view.changes && <SinceLastTime changes={view.changes} />}
      {determinations.length > 0 && (
        <Determinations taskId={view.taskId} list={determinations} voided={view.voided !== undefined} />
      )}
      {clock && <PayerClock clock={clock} />}
      <Asked view={view} />
      <ServiceReviewSheet view={view} />
      {view.attachments.length > 0 && <Attachments view={view} />}
      {notes.length > 0 && (
        <Section title="Notes to the reviewer" aside="written by the agent">
          <div className="grid gap-3">
            {notes.map((note, index) => (
              <QuotedText key={index}>{note}</QuotedText>
            ))}
          </div>
        </Section>
      )}
      {unknownMembers.length > 0 && (
        <Section title="Not understood and not sent">
          <Paths list={unknownMembers} of={review} />
        </Section>
      )}
      {sendings.length > 0 && <Receipts list={sendings} />}
      {gate && gate.calls.length > 0 && <WhatLeaves gate={gate} />}
      {view.byHand.length > 0 && <ByHand list={view.byHand} />}
      {children}
    </div>
  );
}

/** What somebody asks for. */
function Asked({ view: { wants, missing } }: { readonly view: CaseView }) {
  return (
    <>
      {wants !== undefined && (
        <Section title="What the payer wants">
          <QuotedText>{wants.text}</QuotedText>
        </Section>
      )}
      {missing.length > 0 && (
        <Section title="Missing" aside="the route to this payer needs it">
          <Paths list={missing} />
        </Section>
      )}
    </>
  );
}

/** Places in the service review, with what stands there when `of` is given. */
function Paths({ list, of }: { readonly list: readonly string[]; readonly of?: unknown }) {
  return (
    <ul className="grid gap-1 font-mono text-sm wrap-anywhere">
      {list.map((path) => (
        <li key={path}>
          <PlainText>{path}</PlainText>{" "}
          {of !== undefined && (
            <span className="text-ink-faint">
              <PlainText>{JSON.stringify(valueAt(of, path)) ?? ""}</PlainText>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
