import { Badge } from "#components/list/badge";
import { Received } from "#components/paper/received";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";

type Answer = CaseView["answers"][number];

/** Whether a person has to read what the payer sent, so that it stands where they look first. */
export function needsReading({ attention, state }: Pick<CaseView, "attention" | "state">): boolean {
  const isUnconfirmed = state === "transmit-unconfirmed" || state === "void-unconfirmed";
  return isUnconfirmed || (attention !== undefined && read.includes(attention));
}

const read: readonly NonNullable<CaseView["attention"]>[] = ["unreadable-answer", "late-answer", "unordered-answer"];

/** What the payer sent about the case, as it was received, the latest first. */
export function PayerAnswers({ view: { taskId, answers } }: { readonly view: CaseView }) {
  return (
    <Section
      title="Payer answers as received"
      anchor="payer-answers"
      aside={answers.length === 1 ? "1 answer" : `${answers.length} answers`}
    >
      <ul className="grid divide-y divide-line">
        {answers.map((answer) => (
          <li key={answer.id} className="py-1.5 first:pt-0 last:pb-0">
            <Received
              title={kinds[answer.kind]}
              href={`/tasks/${taskId}/answers/${answer.id}`}
              summary={<Summary answer={answer} />}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Summary({ answer: { kind, receivedAt, unread } }: { readonly answer: Answer }) {
  return (
    <>
      <span className="font-semibold">{kinds[kind]}</span>{" "}
      <span className="text-sm text-ink-faint">
        received <Time at={receivedAt} />
      </span>{" "}
      {unread && <Badge tone="warn">Not understood or late</Badge>}
    </>
  );
}

const kinds = {
  answer: "Answer to a submission",
  inquiry: "Answer to an inquiry",
  push: "Notification",
} as const satisfies Record<Answer["kind"], string>;
