import type { ReactNode } from "react";
import { Badge } from "#components/list/badge";
import { dayText } from "#lib/messages/labels/instant";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { Facts } from "#components/list/facts";
import type { Diagnosis, Procedure } from "#lib/task/model/service-review";
import type { CaseView } from "#lib/task/views";
import { codeWord } from "#lib/messages/labels/codes";
import { procedureDetails } from "#lib/task/model/further-details";
import type { Change } from "#lib/task/model/changes";
import { valueOf } from "#lib/task/model/changed-value";
import type { ChangeMarks } from "./change-marks.ts";
import { Changed, Code, fieldFact, joinedFact } from "./review-fields.tsx";
import { amountFact, datesFact } from "./review-groups.tsx";
import { amountOf, datesOf } from "./review-text.ts";
import { modifiersOf } from "#lib/task/model/requested-lines";

type Props = { readonly view: Pick<CaseView, "review" | "codeSystems"> };

/** The lines asked for as a table; where a line leaves dates or quantity out, those of the request hold. */
export function Procedures({ view: { review, codeSystems } }: Props) {
  const rendering = (review.renderingProviders ?? []).map(({ npi }) => npi).filter((npi) => npi !== undefined);
  return (
    <Section title="Procedures" aside={review.procedures.length > 1 && `${review.procedures.length} lines`}>
      <Table caption="Procedures asked for" columns={["Code", "Modifiers", "Quantity", "Dates", "Servicing NPI"]}>
        {review.procedures.map((procedure, index) => (
          <Row key={index}>
            <Cell label="Code">
              <CodeOf procedure={procedure} system={codeSystems[procedure.code]} />
              <LineDetails procedure={procedure} />
            </Cell>
            <Cell label="Modifiers">
              <span className="font-mono text-sm">{modifiersOf(procedure).join(" ") || <Absent />}</span>
            </Cell>
            <Cell label="Quantity">{amountOf(procedure) ?? amountOf(review) ?? <Absent />}</Cell>
            <Cell label="Dates">{datesOf(procedure) ?? datesOf(review) ?? <Absent />}</Cell>
            <Cell label="Servicing NPI">
              <span className="font-mono text-sm">
                {(procedure.renderingProviderNpis ?? rendering).join(", ") || <Absent />}
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
}

/**
 * The lines asked for, one under the other, each with what changed in it. A function and no component, because whoever
 * calls it goes on with the changes that it leaves.
 */
export function serviceLines({ review, codeSystems }: Props["view"], marks: ChangeMarks): ReactNode {
  const lines = review.procedures.map((procedure, index) => ({
    procedure,
    facts: lineFacts(procedure, { at: `/procedures/${index}`, marks }),
    system: codeSystems[procedure.code],
    number: review.procedures.length > 1 ? index + 1 : undefined,
  }));
  return (
    <ol className="grid gap-4">
      {lines.map((line, index) => (
        <ServiceLine key={index} {...line} />
      ))}
    </ol>
  );
}

type LineProps = {
  readonly procedure: Procedure;
  readonly facts: ReturnType<typeof lineFacts>;
  readonly system: string | undefined;
  /** Of several lines, which it is. */
  readonly number: number | undefined;
};

function ServiceLine({ procedure, facts, system, number }: LineProps) {
  return (
    <li className="grid gap-2">
      <div className="flex gap-2">
        {number !== undefined && <span className="w-4 shrink-0 text-ink-faint tabular-nums">{number}</span>}
        <div className="min-w-0">
          <CodeOf procedure={procedure} system={system} />
        </div>
      </div>
      <Facts slim list={facts} />
    </li>
  );
}

/** What one line says beyond its code, each value with what stood there before. */
function lineFacts(line: Procedure, { at, marks }: { readonly at: string; readonly marks: ChangeMarks }) {
  const code = `${at}/code`;
  return [
    marks.has(code) ? fieldFact(marks, { name: "Code", value: line.code, at: code, mono: true }) : undefined,
    joinedFact(marks, {
      name: "Modifiers",
      parts: {
        [`${at}/modifierCode1`]: line.modifierCode1,
        [`${at}/modifierCode2`]: line.modifierCode2,
        [`${at}/modifierCode3`]: line.modifierCode3,
        [`${at}/modifierCode4`]: line.modifierCode4,
      },
      write: (values) => {
        const codes = Object.values(values).filter((value) => value !== undefined);
        return codes.length === 0 ? undefined : <Code>{codes.join(" ")}</Code>;
      },
    }),
    amountFact(line, { at, marks }),
    datesFact(line, { at, marks }),
    ...procedureDetails(line).map(([name, value]) => ({ name, value: <PlainText>{value}</PlainText> })),
  ];
}

function CodeOf({ procedure, system }: { readonly procedure: Procedure; readonly system: string | undefined }) {
  const { code, description, revenueCode } = procedure;
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono font-semibold">
          <PlainText>{code}</PlainText>
        </span>
        {system === undefined ? (
          <Badge tone="warn">Unknown format</Badge>
        ) : (
          <span className="text-sm text-ink-faint">{system}</span>
        )}
        {revenueCode !== undefined && <span className="text-sm text-ink-faint">Revenue code {revenueCode}</span>}
      </span>
      <Described>{description}</Described>
    </>
  );
}

/** What a line says beyond its columns. */
function LineDetails({ procedure }: { readonly procedure: Procedure }) {
  const details = procedureDetails({ ...procedure, renderingProviderNpis: undefined });
  if (details.length === 0) return null;
  return (
    <span className="block text-sm text-ink-soft wrap-anywhere">
      <PlainText>{details.map(([label, value]) => `${label}: ${value}`).join(" · ")}</PlainText>
    </span>
  );
}

/** The diagnoses, likewise. */
export function diagnosisList(list: readonly Diagnosis[], marks: ChangeMarks): ReactNode {
  const rows = list.map((diagnosis, index) => ({ ...diagnosis, change: marks.take(`/diagnoses/${index}/code`) }));
  return (
    <ul className="grid gap-2">
      {rows.map(({ code, qualifierCode, description, date, change }, index) => (
        <li key={index} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3">
          <DiagnosisCode code={code} change={change} />
          <span>
            {qualifierCode !== undefined && (
              <span className="text-ink-soft">{codeWord("diagnosis", qualifierCode) ?? qualifierCode}</span>
            )}
            {date !== undefined && <span className="text-ink-soft"> since {dayText(date)}</span>}
            <Described>{description}</Described>
          </span>
        </li>
      ))}
    </ul>
  );
}

function DiagnosisCode({ code, change }: { readonly code: string; readonly change: Change | undefined }) {
  if (!change) return <Strong>{code}</Strong>;
  const before = valueOf(change.before);
  return (
    <Changed before={before === undefined ? undefined : <Code>{before}</Code>}>
      <Strong>{code}</Strong>
    </Changed>
  );
}

function Strong({ children }: { readonly children: string }) {
  return (
    <strong className="font-semibold">
      <Code>{children}</Code>
    </strong>
  );
}

/** What the agent calls it. We ship no procedure text of our own. */
function Described({ children }: { readonly children: string | undefined }): ReactNode {
  if (children === undefined) return null;
  return (
    <span className="block wrap-anywhere">
      <q>
        <PlainText>{children}</PlainText>
      </q>{" "}
      <AgentMark />
    </span>
  );
}

/** That a description is the agent's, and neither ours nor a code set's. */
export function AgentMark() {
  return (
    <span title="Description by the agent" className="text-xs text-ink-faint">
      agent
    </span>
  );
}

function Absent() {
  return <span className="text-ink-faint">–</span>;
}
