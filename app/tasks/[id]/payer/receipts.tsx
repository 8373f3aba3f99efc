import { ShortDigest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { SubmissionView } from "#lib/task/views";

const results = {
  received: "payer confirmed receipt",
  refused: "payer rejected it",
  "not-received": "payer has no record",
  unconfirmed: "submission status unknown",
} as const satisfies Record<SubmissionView["result"], string>;

function resultText({ action, result }: SubmissionView): string {
  return action === "void" && result === "unconfirmed" ? "void status unknown" : results[result];
}

/** Proof of what left: when, under which number, and what became of it. */
export function Receipts({ list }: { readonly list: readonly SubmissionView[] }) {
  return (
    <Section title="Submissions" aside="the last of each action">
      <div className="grid gap-4">
        {list.map((submission) => (
          <Receipt key={submission.action} of={submission} />
        ))}
      </div>
    </Section>
  );
}

function Receipt({ of }: { readonly of: SubmissionView }) {
  const { action, update, revision, manual, sentAt, traceNumber, reference, reason, attempt } = of;
  const what = action === "void" ? "Void" : update ? "Update" : "Request";
  return (
    <div className="grid gap-2">
      <Facts
        list={[
          { name: what, value: `revision ${revision}, attempt ${attempt}${manual ? ", manual" : ""}` },
          { name: "Submitted", value: <Time at={sentAt} /> },
          { name: "Result", value: resultText(of) },
          { name: "Trace number", value: <PlainText>{traceNumber}</PlainText> },
          reference === undefined ? undefined : { name: "Payer reference", value: <PlainText>{reference}</PlainText> },
          { name: "Gate digest", value: <ShortDigest value={of.gateDigest} /> },
        ]}
      />
      {reason !== undefined && <QuotedText>{reason}</QuotedText>}
    </div>
  );
}
