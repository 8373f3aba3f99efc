import Link from "next/link";
import { ShortDigest } from "#components/text/digest";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { stateText } from "#lib/messages/reviewer/case";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { Time } from "#components/text/time";
import { levels, type CheckType } from "#lib/gate/model/check";
import { deliveries, type Delivery } from "#lib/task/model/delivery";
import { states, type State } from "#lib/task/model/task";
import { env } from "#lib/platform/env";
import type { CaseView, HistoryEntry } from "#lib/task/views";
import { caseActorText, caseActText } from "#lib/messages/reviewer/case-acts";
import { contactText } from "#lib/messages/reviewer/payer-contact";
import { SameNumber } from "./same-number.tsx";

/** Everything that happened to the case, from the audit record, oldest first. */
export function History({ view, readsAuditLog }: { readonly view: CaseView; readonly readsAuditLog: boolean }) {
  const record = `/audit?${new URLSearchParams({ practice: view.practice.id, task: view.taskId })}`;
  return (
    <>
      {readsAuditLog && (
        <p className="mb-3">
          <Link href={record} prefetch={false} className="underline">
            Open in the audit log
          </Link>
        </p>
      )}
      {env().DEMO === "1" && (
        <p className="mb-3 text-ink-soft">
          Demo cases are dated back. These entries of the audit log keep the times at which the demo was created.
        </p>
      )}
      <ol className="grid gap-2">
        {view.history.map((entry, index) => (
          <Entry key={index} taskId={view.taskId} entry={entry} />
        ))}
      </ol>
    </>
  );
}

type EntryProps = { readonly taskId: string; readonly entry: HistoryEntry };

function Entry({ taskId, entry: { at, actor, act, detail, receiptId, assignee, why } }: EntryProps) {
  const { gate, revision, to, until, delivery, sentAt, votes, needed, warnings, sameNumberAs } = detail;
  return (
    <li className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1">
      <span className="text-ink-faint">
        <Time at={at} />
      </span>
      <span className="wrap-anywhere">
        <PlainText>{caseActorText(actor)}</PlainText> {caseActText(act)}
        {act === "case.assigned" && (
          <>
            {" "}
            to <PlainText>{assignee ?? "no one"}</PlainText>
          </>
        )}
        {act === "case.snoozed" && typeof until === "string" && (
          <>
            {" "}
            until <Time at={new Date(until)} />
          </>
        )}
        {isDelivery(delivery) && `, ${contactText[delivery]}`}
        {typeof sentAt === "string" && (
          <>
            {" "}
            <Time at={new Date(sentAt)} as="on" />
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
        {Array.isArray(warnings) && (
          <span className="block text-warn">Overridden: {warnings.filter(isCheckType).map(checkBrief).join(", ")}</span>
        )}
        {typeof sameNumberAs === "string" && <SameNumber taskId={sameNumberAs} />}
        {why !== undefined && <QuotedText>{why}</QuotedText>}
      </span>
    </li>
  );
}

function isCheckType(value: unknown): value is CheckType {
  return typeof value === "string" && Object.hasOwn(levels, value);
}

function isState(value: unknown): value is State {
  return states.some((state) => state === value);
}

function isDelivery(value: unknown): value is Delivery {
  return deliveries.some((delivery) => delivery === value);
}
