import Link from "next/link";
import { Badge, EnvironmentMark } from "#components/list/badge";
import { StateBadge } from "#components/text/case-badges";
import { Time } from "#components/text/time";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { nowMs } from "#lib/platform/now";
import { PlainText } from "#components/text/plain-text";
import { Cell, Row, Table } from "#components/list/table";
import type { BulkAct, ChosenCase, Exclusion } from "#lib/queue/chosen-cases";

type Props = { readonly caption: string; readonly list: readonly ChosenCase[]; readonly act: BulkAct };

const lastColumns: Readonly<Record<BulkAct, string>> = {
  assign: "Assigned to",
  snooze: "Assigned to",
  decline: "Checks",
  release: "Checks",
};

/** The cases, each with what tells it from the others, and why it is left out where it is. */
export function ChosenTable({ caption, list, act }: Props) {
  const last = list.some(({ exclusion }) => exclusion) ? "Why" : lastColumns[act];
  return (
    <div className="mb-6">
      <Table caption={caption} columns={["Case", "Patient", "Procedures", "State", "Due", "Payer", "Practice", last]}>
        {list.map((chosen) => (
          <Row key={chosen.taskId}>
            <Cell>
              <span className="flex items-baseline gap-2">
                <Link href={`/tasks/${chosen.taskId}`} prefetch={false} className="font-mono font-semibold underline">
                  {chosen.shortId}
                </Link>
                <EnvironmentMark environment={chosen.environment} />
              </span>
            </Cell>
            <Cell label="Patient">
              {chosen.patient ? (
                <PlainText>{chosen.patient}</PlainText>
              ) : (
                <span className="text-ink-faint">none named</span>
              )}
            </Cell>
            <Cell label="Procedures">
              <span className="font-mono">
                <PlainText>{chosen.procedureCodes.join(", ")}</PlainText>
              </span>
            </Cell>
            <Cell>
              <span className="flex flex-wrap gap-1">
                <StateBadge state={chosen.state} />
                {chosen.urgent && <Badge tone="bad">Urgent</Badge>}
              </span>
            </Cell>
            <Cell label="Due">
              <Due at={chosen.dueAt} zone={chosen.practice.timeZone} />
            </Cell>
            <Cell label="Payer">
              <PlainText>{chosen.payer.name ?? chosen.payer.id}</PlainText>
            </Cell>
            <Cell label="Practice">{chosen.practice.name}</Cell>
            <Cell label={last}>
              <Last chosen={chosen} act={act} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}

function Due({ at, zone }: { readonly at: Date | undefined; readonly zone: string }) {
  if (!at) return <span className="text-ink-faint">–</span>;
  const isLate = at.getTime() < nowMs();
  return (
    <span className={isLate ? "font-semibold text-bad" : undefined}>
      <Time at={at} as={isLate ? "late" : "until"} zone={zone} />
    </span>
  );
}

function Last({ chosen: { exclusion, assignee, gate }, act }: { readonly chosen: ChosenCase; readonly act: BulkAct }) {
  if (exclusion) return whyText(exclusion);
  if (act === "assign" || act === "snooze") return assignee ? <PlainText>{assignee.name}</PlainText> : "Unassigned";
  if (!gate) return undefined;
  const warnings = gate.warnings.map(checkBrief);
  if (warnings.length === 0) return <span className="text-ink-faint">No warnings</span>;
  return <span className="text-warn">{warnings.join(", ")}</span>;
}

function whyText(exclusion: Exclusion): string {
  switch (exclusion.type) {
    case "at-no-gate":
      return "It isn't awaiting release.";
    case "not-opened":
      return "You have not opened its current version.";
    case "has-warnings":
      return "It has warnings. Release it on its own page.";
    case "needs-more-people":
      return `It takes ${exclusion.needed} people. Release it on its own page.`;
    case "not-releasable":
      return "You can't release it now. Its page says why.";
    case "snoozed-already":
      return "It is snoozed already.";
    case "nothing-to-do":
      return "It needs no action here.";
  }
}
