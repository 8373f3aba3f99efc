import type { ReactNode } from "react";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";
import { RecourseRecord } from "./recourse-record.tsx";
import { contactText } from "#lib/messages/reviewer/payer-contact";

type Records = CaseView["manualRecords"];

/** What people submitted to the payer, asked it or learned from it: who, how and when. */
export function ManualRecords({ list }: { readonly list: Records }) {
  return (
    <Section title="Manual submission" aside="as recorded by reviewers">
      <ol className="grid gap-3">
        {list.map((record, index) => (
          <li key={index} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1">
            <span className="text-ink-faint">
              <Time at={record.at} />
            </span>
            <div className="grid gap-1.5 wrap-anywhere">
              <Record of={record} />
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Record({ of }: { readonly of: Records[number] }): ReactNode {
  switch (of.kind) {
    case "sent":
      return (
        <p>
          <PlainText>{of.by}</PlainText> {of.action === "void" ? "submitted the void" : "submitted it"}{" "}
          {contactText[of.delivery]}
          {of.to !== undefined && (
            <>
              {" "}
              (<PlainText>{of.to}</PlainText>)
            </>
          )}
        </p>
      );
    case "inquiry":
      return (
        <>
          <p>
            <PlainText>{of.whom}</PlainText>, asked {contactText[of.by]}:{" "}
            {of.payerHas ? "payer confirmed receipt" : "payer has no record"}
          </p>
          {of.reply !== undefined && <QuotedText>{of.reply}</QuotedText>}
        </>
      );
    case "voided":
      return (
        <>
          <p>The payer voided it. Evidence:</p>
          <QuotedText>{of.text}</QuotedText>
        </>
      );
    case "peer-to-peer":
    case "appeal-terms":
    case "accepted":
      return <RecourseRecord of={of} />;
  }
}
