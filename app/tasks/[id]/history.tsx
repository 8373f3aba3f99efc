import { ShortDigest } from "#components/digest";
import { PlainText } from "#components/plain-text";
import { Section } from "#components/section";
import { stateText } from "#components/case-words";
import { Time } from "#components/time";
import { deliveries, type Delivery } from "#lib/domain/delivery";
import { states, type State } from "#lib/domain/task";
import type { CaseView, HistoryEntry } from "#lib/tasks/views";
import { wayText } from "./way-words.ts";

const acts: Readonly<Record<string, string>> = {
  "task.opened": "opened the case",
  "task.amended": "sent a new revision",
  "task.withdrawn": "withdrew the case",
  "task.adopted": "adopted the case",
  "task.attended": "saw to what was asked",
  "void.asked": "asked for a void",
  "gate.voted": "released",
  "gate.vote-taken-back": "took the release back",
  "gate.released": "released",
  "gate.declined": "declined",
  "gate.sent-back": "sent it back",
  "gate.recalled": "recalled the release",
  "gate.expired": "closed the gate, which had expired",
  "gate.re-held": "held it again",
  "transmission.claimed": "took it up for sending",
  "transmission.started": "began to send",
  "transmission.lapsed": "found the sending interrupted",
  "transmission.not-sent": "could not send",
  "transmission.accepted": "sent, and the payer has it",
  "transmission.rejected": "sent, and the payer would not take it",
  "transmission.doubted": "sent, and no answer was understood",
  "transmission.settled": "settled what the payer has",
  "payer.decided": "recorded the determination",
  "payer.wants": "recorded that the payer wants more",
  "payer.voided": "recorded that the payer voided it",
  "payer.rejected": "recorded that the payer will not have what it had taken",
  "payer.void-refused": "recorded that the payer refused the void",
  "payer.asks-contact": "recorded that the payer asks to be contacted",
  "payer.unreadable": "could not read the payer's answer",
};

const actors: Readonly<Record<string, string>> = { worker: "The service", operator: "An operator" };

/** Everything that happened to the case, from the audit record, oldest first. */
export function History({ view }: { readonly view: CaseView }) {
  return (
    <div className="min-w-0 lg:col-start-1">
      <div className="border-t border-line pt-4">
        <Section title="History">
          <ol className="grid gap-1.5">
            {view.history.map((entry, index) => (
              <Entry key={index} taskId={view.taskId} entry={entry} />
            ))}
          </ol>
        </Section>
      </div>
    </div>
  );
}

type EntryProps = { readonly taskId: string; readonly entry: HistoryEntry };

function Entry({ taskId, entry: { at, actor, act, detail, receiptId } }: EntryProps) {
  const { gate, revision, to, delivery, sentAt, votes, needed } = detail;
  return (
    <li className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1">
      <span className="text-ink-faint">
        <Time at={at} />
      </span>
      <span className="wrap-anywhere">
        <PlainText>{actors[actor] ?? actor}</PlainText> {acts[act] ?? act}
        {isWay(delivery) && `, ${wayText[delivery]}`}
        {typeof sentAt === "string" && (
          <>
            {" "}
            at <Time at={new Date(sentAt)} as="clock" />
          </>
        )}
        {typeof votes === "number" && typeof needed === "number" && needed > 1 && `, ${votes} of ${needed}`}
        {typeof revision === "number" && `, revision ${revision}`}
        {isState(to) && <span className="text-ink-faint">: {stateText(to).toLowerCase()}</span>}
        {typeof gate === "string" && (
          <span className="text-ink-faint">
            {" "}
            <ShortDigest value={gate} />
          </span>
        )}
        {receiptId !== undefined && (
          <span className="ms-2 whitespace-nowrap text-ink-soft print:hidden">
            <a href={`/tasks/${taskId}/receipts/${receiptId}`} download className="underline hover:text-ink">
              Receipt
            </a>
            {", "}
            <a href={`/tasks/${taskId}/print?receipt=${receiptId}`} className="underline hover:text-ink">
              Print
            </a>
          </span>
        )}
      </span>
    </li>
  );
}

function isState(value: unknown): value is State {
  return states.some((state) => state === value);
}

function isWay(value: unknown): value is Delivery {
  return deliveries.some((delivery) => delivery === value);
}
