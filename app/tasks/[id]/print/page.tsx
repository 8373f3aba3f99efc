import { redirect } from "next/navigation";
import { PaperBar } from "#components/paper/paper";
import { Notice } from "#components/shell/notice";
import { Shell } from "#components/shell/shell";
import { showTimesIn } from "#components/text/time";
import { unopenedReceiptText } from "#lib/messages/reviewer/receipt";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { readDecision } from "#lib/gate/read-decision";
import { DecisionSheet } from "../decision-sheet.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly receipt?: string | string[] }>;
};

/** The request and the decision on it, to print: the last one, or the one whose receipt is named. */
export default async function PrintPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { receipt } = await searchParams;
  const receiptId = typeof receipt === "string" ? receipt : undefined;
  const casePath = `/tasks/${encodeURIComponent(id)}`;
  const search = receiptId === undefined ? "" : `?receipt=${encodeURIComponent(receiptId)}`;
  const person = await requirePerson(`${casePath}/print${search}`);
  const found = await readDecision(contextOf(person), { taskId: id, receiptId });
  if (!found.ok && found.refusal.type === "unopened-receipt")
    return (
      <Shell person={person} current="queue" title="Decision">
        <PaperBar href={casePath} back="Case" />
        <Notice tone="bad" title="This decision can't be shown">
          {unopenedReceiptText(found.refusal.sequence)}
        </Notice>
      </Shell>
    );
  if (!found.ok) redirect("/not-found");
  showTimesIn(found.value.practice.timeZone);
  return (
    <Shell person={person} current="queue" title={`Decision ${found.value.shortId}`}>
      <PaperBar href={casePath} back={`Case ${found.value.shortId}`} />
      <DecisionSheet record={found.value} />
    </Shell>
  );
}
