import type { ReactNode } from "react";
import { EnvironmentMark } from "#components/list/badge";
import { actionText } from "#lib/messages/reviewer/case";
import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { Paper } from "#components/paper/paper";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { Receipt } from "#lib/gate/receipt/receipt";
import type { DecisionRecord } from "#lib/gate/read-decision";
import { asideOf, DeterminationFacts } from "./payer/determinations.tsx";
import { knownProviders } from "./payer/term-texts.ts";
import { Appeal } from "./request/appeal.tsx";
import { ServiceReviewSheet } from "./request/service-review.tsx";
import { sizeText } from "./request/size-text.ts";

const decided = {
  released: "Released",
  declined: "Declined",
  "sent-back": "Information requested",
  recalled: "Release undone",
  adopted: "Taken over",
} as const satisfies Record<Receipt["decision"], string>;

const answers = {
  release: "release",
  decline: "decline",
  "send-back": "request information",
} as const satisfies Record<Receipt["votes"][number]["answer"], string>;

/** A request and what people decided on it, with what proves both: one page, and where it is longer, numbered ones. */
export function DecisionSheet({ record }: { readonly record: DecisionRecord }) {
  const { shortId, practice, environment, decision } = record;
  return (
    <Paper
      isTest={environment === "test"}
      head={
        <>
          Case {shortId}, {practice.name}
          {decision && `, receipt ${decision.receipt.sequence}`}
        </>
      }
    >
      <Head record={record} />
      <div
        data-paper="dense"
        className="[&_h2]:text-sm! [&_section]:break-inside-avoid-page [&_section]:py-2! [&_section>div:first-child]:mb-1 print:[zoom:0.92] print:text-xs print:[&_dl]:gap-y-0.5 print:[&_li_.block]:ms-1 print:[&_li_.block]:inline print:[&_section]:py-1! print:[&_td]:py-0.5"
      >
        <PayerDecision record={record} />
        <Decision record={record} />
        <Appeal review={record.review} />
        <ServiceReviewSheet view={record} />
        {record.attachments.length > 0 && <Files list={record.attachments} />}
        <Proof record={record} />
      </div>
    </Paper>
  );
}

/** An automatic release leaves no receipt, and is still no open question. */
function outcomeOf({ gate, decision }: Pick<DecisionRecord, "gate" | "decision">): string {
  if (decision) return decided[decision.receipt.decision];
  return gate?.autoReleased ? "Released automatically, by no person" : "Not decided yet";
}

function Head({
  record: { gate, payer, receiver, environment, shortId, practice, decision },
}: {
  readonly record: DecisionRecord;
}) {
  const act = gate ? actionText(gate) : "Request";
  const payerName = payer.name ?? payer.id;
  return (
    <header className="mb-3">
      <h1 className="text-xl font-semibold text-balance wrap-anywhere">
        {outcomeOf({ gate, decision })}: {act === "Update" ? "update" : act.toLowerCase()} to{" "}
        <PlainText>{receiver ?? payerName}</PlainText>
      </h1>
      {receiver !== undefined && (
        <p className="mt-1">
          Reviewed for <PlainText>{payerName}</PlainText>
        </p>
      )}
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-ink-soft">
        <EnvironmentMark environment={environment} />
        <span>
          Case <span className="font-mono font-semibold text-ink">{shortId}</span>
        </span>
        <span>of {practice.name}</span>
      </p>
    </header>
  );
}

/** The payer's decision, which comes first because a decided case is printed for its outcome and its number. */
function PayerDecision({ record: { determination, review } }: { readonly record: DecisionRecord }) {
  if (!determination) return null;
  const { of, ...standing } = determination;
  return (
    <Section title="Payer's determination" aside={asideOf(of, standing)}>
      <div className="grid gap-2">
        <DeterminationFacts of={of} known={knownProviders(review)} />
      </div>
    </Section>
  );
}

function Decision({ record: { decision, gate, revision } }: { readonly record: DecisionRecord }) {
  return (
    <Section title="Decision">
      <div className="grid gap-x-8 gap-y-1.5 print:grid-cols-2 print:gap-y-0.5">
        <Facts list={decision ? [...answerOf(decision.receipt)] : []} />
        <Facts
          list={[
            gate && fact("At the gate", <Time at={gate.openedAt} as="full" />),
            fact(`Revision ${revision.number}`, <Time at={revision.receivedAt} as="full" />),
          ]}
        />
      </div>
      {decision?.reason !== undefined && (
        <div className="mt-1.5">
          <QuotedText>{decision.reason}</QuotedText>
        </div>
      )}
    </Section>
  );
}

/** Whose act it was, and the votes where it took several or none. */
function answerOf({ decision, decidedBy, decidedAt, votes, votesNeeded }: Receipt) {
  const at = new Date(decidedAt);
  const [only] = votes;
  const isAlone = votesNeeded === 1 && votes.length === 1 && only?.person.id === decidedBy.id;
  return [
    fact(`${decided[decision]} by`, decidedBy.name),
    fact("At", <Time at={at} as="full" />),
    fact(
      isAlone ? "Vote" : `Votes, of ${votesNeeded}`,
      <ul>
        {votes.map(({ person, answer, at: votedAt }) => (
          <li key={person.id}>
            {person.name}: {answers[answer]}
            {!isAlone && (
              <>
                , <Time at={new Date(votedAt)} as="full" />
              </>
            )}
          </li>
        ))}
      </ul>,
    ),
  ];
}

function Files({ list }: { readonly list: DecisionRecord["attachments"] }) {
  return (
    <Section title="Attachments">
      <ul className="grid gap-1">
        {list.map(({ sha256, name, size }) => (
          <li key={sha256} className="wrap-anywhere">
            <PlainText>{name ?? "Without a name"}</PlainText>, {sizeText(size)} <Digest value={sha256} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What names the request, the bytes and the decision, so that each can be held against the record. */
function Proof({ record: { taskId, revision, gate, decision } }: { readonly record: DecisionRecord }) {
  const documents = gate?.documentDigests ?? [];
  return (
    <Section title="Proof">
      <Facts
        list={[
          fact("Case", <Code>{taskId}</Code>),
          fact("Revision digest", <Digest value={revision.digest} />),
          gate && fact("Gate digest", <Digest value={gate.digest} />),
          ...documents.map((digest, index) =>
            fact(documents.length > 1 ? `Document digest ${index + 1}` : "Document digest", <Digest value={digest} />),
          ),
          decision &&
            fact(
              "Receipt",
              <>
                {decision.receipt.sequence}, <Code>{decision.receipt.id}</Code>
              </>,
            ),
          decision && fact("Receipt hash", <Digest value={decision.hash} />),
          decision && fact("Key", <Code>{decision.receipt.kid}</Code>),
        ]}
      />
      {decision && (
        <p className="mt-1 text-ink-soft">
          The receipt is saved from the case&rsquo;s history; <Code>pa receipt verify</Code> checks it by the public
          key.
        </p>
      )}
    </Section>
  );
}

function fact(name: string, value: ReactNode) {
  return { name, value };
}

function Code({ children }: { readonly children: string }) {
  return <code className="font-mono text-xs wrap-anywhere">{children}</code>;
}
