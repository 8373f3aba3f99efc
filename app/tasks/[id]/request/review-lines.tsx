import { Badge } from "#components/list/badge";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import type { Diagnosis, Procedure } from "#lib/task/model/service-review";
import type { CaseView } from "#lib/task/views";
import { codeText } from "#lib/task/model/code-words";
import { procedureDetails } from "#lib/task/model/further-details";
import { amountOf, datesOf } from "./review-text.ts";

type Props = { readonly view: Pick<CaseView, "review" | "codeSystems"> };

/** The lines asked for; where a line leaves dates or quantity out, those of the request hold. */
export function Procedures({ view: { review, codeSystems } }: Props) {
  const rendering = (review.renderingProviders ?? []).map(({ npi }) => npi).filter((npi) => npi !== undefined);
  return (
    <Section title="Procedures" aside={review.procedures.length > 1 && `${review.procedures.length} lines`}>
      <Table caption="Procedures asked for" columns={["Code", "Modifiers", "Quantity", "Dates", "Rendering NPI"]}>
        {review.procedures.map((procedure, index) => (
          <Row key={index}>
            <Cell label="Code">
              <Code procedure={procedure} system={codeSystems[procedure.code]} />
              <LineDetails procedure={procedure} />
            </Cell>
            <Cell label="Modifiers">
              <span className="font-mono text-sm">{modifiersOf(procedure) || <Absent />}</span>
            </Cell>
            <Cell label="Quantity">{amountOf(procedure) ?? amountOf(review) ?? <Absent />}</Cell>
            <Cell label="Dates">{datesOf(procedure) ?? datesOf(review) ?? <Absent />}</Cell>
            <Cell label="Rendering NPI">
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

function Code({ procedure, system }: { readonly procedure: Procedure; readonly system: string | undefined }) {
  const { code, description, revenueCode } = procedure;
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono font-semibold">
          <PlainText>{code}</PlainText>
        </span>
        {system === undefined ? (
          <Badge tone="warn">unknown format</Badge>
        ) : (
          <span className="text-sm text-ink-faint">{system}</span>
        )}
        {revenueCode !== undefined && <span className="text-sm text-ink-faint">revenue {revenueCode}</span>}
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

export function Diagnoses({ list }: { readonly list: readonly Diagnosis[] }) {
  return (
    <Section title="Diagnoses">
      <ul className="grid gap-1.5">
        {list.map(({ code, qualifierCode, description, date }, index) => (
          <li key={index} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3">
            <span className="font-mono font-semibold">{code}</span>
            <span>
              {qualifierCode !== undefined && (
                <span className="text-ink-soft">{codeText("diagnosis", qualifierCode)}</span>
              )}
              {date !== undefined && <span className="text-ink-soft"> since {date}</span>}
              <Described>{description}</Described>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the agent calls it. We ship no procedure text of our own. */
function Described({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <span className="block text-ink-soft wrap-anywhere">
      <span className="text-sm text-ink-faint">agent: </span>
      <PlainText>{children}</PlainText>
    </span>
  );
}

function modifiersOf({ modifierCode1, modifierCode2, modifierCode3, modifierCode4 }: Procedure): string {
  return [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((code) => code !== undefined).join(" ");
}

function Absent() {
  return <span className="text-ink-faint">–</span>;
}
