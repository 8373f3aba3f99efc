import { Fragment, type ReactNode } from "react";
import { Badge } from "#components/list/badge";
import { outcomeText } from "#lib/messages/labels/codes";
import { stateText } from "#lib/messages/reviewer/case";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import { levels } from "#lib/gate/model/check";
import { linesOf } from "#lib/gate/find-duplicates";
import type { CaseView } from "#lib/task/views";
import { amountOf, datesOf } from "./review-text.ts";

type Other = CaseView["duplicates"][number];
type Line = Omit<Other["lines"][number], "same">;

const columns = ["Case", "Lines", "Payer", "State", "Sent by"];

/** The other cases of this practice the checks name, under this one: what differs stands out. */
export function Duplicates({ view }: { readonly view: CaseView }) {
  const { shortId, duplicates, moreDuplicates, payer, channel, createdAt, state, review } = view;
  return (
    <Section title="Other cases of this member" aside="in this practice, from any channel">
      <Table caption="This case and the others of the same member" columns={columns}>
        <Row>
          <Cell label="Case">
            <span className="font-mono font-semibold">{shortId}</span>
            <span className="block text-sm text-ink-faint">this case</span>
          </Cell>
          <Cell label="Lines">
            <Lines list={linesOf(review).map((line) => ({ ...line, same: true }))} />
          </Cell>
          <Cell label="Payer">
            <PlainText>{payer.name ?? payer.id}</PlainText>
          </Cell>
          <Cell label="State">{stateText(state)}</Cell>
          <Cell label="Sent by">
            <Sender channel={channel.name} at={createdAt} />
          </Cell>
        </Row>
        {duplicates.map((other) => (
          <OtherRow key={other.taskId} other={other} />
        ))}
      </Table>
      {moreDuplicates.length > 0 && <More list={moreDuplicates} />}
    </Section>
  );
}

/** Cases that are not compared here, each a click away. */
function More({ list }: { readonly list: CaseView["moreDuplicates"] }) {
  return (
    <p className="mt-2 text-sm">
      <span className="text-ink-soft">And {list.length} more:</span>
      {list.map(({ taskId, shortId }) => (
        <Fragment key={taskId}>
          {" "}
          <a href={`/tasks/${taskId}`} className="font-mono underline">
            {shortId}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

function OtherRow({ other }: { readonly other: Other }) {
  const { taskId, shortId, type, lines, payer, state, outcome, validTo, reference, channel, createdAt } = other;
  return (
    <Row>
      <Cell label="Case">
        <a href={`/tasks/${taskId}`} className="font-mono font-semibold underline">
          {shortId}
        </a>
        <span className="mt-0.5 block">
          <Badge tone={levels[type] === "block" ? "bad" : "warn"}>{checkBrief(type)}</Badge>
        </span>
      </Cell>
      <Cell label="Lines">
        <Lines list={lines} />
      </Cell>
      <Cell label="Payer" className={payer.same && reference === undefined ? "narrow:hidden" : undefined}>
        <Compared same={payer.same}>
          <PlainText>{payer.name ?? payer.id}</PlainText>
        </Compared>
        {reference !== undefined && (
          <span className="block text-sm text-ink-faint wrap-anywhere">
            <PlainText>{reference}</PlainText>
          </span>
        )}
      </Cell>
      <Cell label="State">
        {outcome === undefined ? stateText(state) : outcomeText(outcome)}
        {validTo !== undefined && <span className="block text-sm text-ink-faint">to {validTo}</span>}
      </Cell>
      <Cell label="Sent by">
        <Sender channel={channel} at={createdAt} />
      </Cell>
    </Row>
  );
}

function Sender({ channel, at }: { readonly channel: string; readonly at: Date }) {
  return (
    <>
      <PlainText>{channel}</PlainText>
      <span className="block text-sm text-ink-faint">
        <Time at={at} />
      </span>
    </>
  );
}

function Lines({ list }: { readonly list: Other["lines"] }) {
  return (
    <ul>
      {list.map((line, index) => (
        <li key={index}>
          <Compared same={line.same}>
            <span className="font-mono">
              <PlainText>{[line.code ?? "", ...line.modifiers].join(" ")}</PlainText>
            </span>{" "}
            <span className="text-sm">{amountText(line)}</span>
            <span className="block text-sm whitespace-nowrap">{daysText(line)}</span>
          </Compared>
        </li>
      ))}
    </ul>
  );
}

function Compared({ same, children }: { readonly same: boolean; readonly children: ReactNode }) {
  if (same) return children;
  return (
    <span className="font-semibold text-warn">
      {children} <span className="sr-only">(differs)</span>
    </span>
  );
}

function amountText({ quantity, unit }: Line): string | undefined {
  return amountOf({ quantity, quantityTypeCode: unit });
}

function daysText({ from, to }: Line): string | undefined {
  return datesOf({ fromDate: from, toDate: to });
}
