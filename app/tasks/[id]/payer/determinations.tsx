import { sentenceCase } from "#components/text/sentence-case";
import { reviewActions } from "#lib/messages/labels/codes";
import { OutcomeBadge } from "#components/text/case-badges";
import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { dayText } from "#lib/messages/labels/instant";
import { Time } from "#components/text/time";
import { decisionReason, type DecisionReason } from "#lib/messages/decision-reasons";
import { type DeterminationLine, type LineTerms } from "#lib/task/model/determination";
import type { CaseDetermination, CaseView, DeterminationView } from "#lib/task/views";
import { typeTexts } from "../evidence/document-kinds.ts";
import { DocumentView } from "../evidence/document-view.tsx";
import { datesOf } from "../request/review-text.ts";
import { sizeText } from "../request/size-text.ts";
import { AuthorizationProgress } from "./authorization-progress.tsx";
import { Steps } from "./determination-steps.tsx";
import { Terms } from "./terms.tsx";
import type { KnownProviders } from "./term-texts.ts";
import { contactText } from "#lib/messages/reviewer/payer-contact";

type Props = {
  readonly taskId: string;
  readonly list: readonly CaseDetermination[];
  /** The case is void at the payer, so that nothing it decided holds any more. */
  readonly voided: boolean;
  /** A void of it was submitted, and it is unknown whether the payer received that. */
  readonly mayBeVoided: boolean;
  /** The payer has a change that it has not decided on. */
  readonly undecided: CaseView["undecided"];
  readonly known: KnownProviders;
};

/** What the payer decided, the one in force first. */
export function Determinations({ taskId, list, voided, mayBeVoided, undecided, known }: Props) {
  const [current, ...older] = list.toReversed();
  if (!current) return null;
  return (
    <Section title="Determination" aside={asideOf(current, { voided, mayBeVoided, undecided })}>
      <DeterminationSheet taskId={taskId} of={current} known={known} />
      <Steps list={list} />
      {older.length > 0 && (
        <details className="mt-4">
          <summary className="text-ink-soft hover:text-ink">Earlier determinations ({older.length})</summary>
          <div className="mt-3 grid gap-6">
            {older.map((one) => (
              <div key={one.id}>
                <p className="mb-1 text-sm text-ink-faint">{standings[one.standing]}</p>
                <DeterminationSheet taskId={taskId} of={one} known={known} />
              </div>
            ))}
          </div>
        </details>
      )}
    </Section>
  );
}

/** Whether it holds, where that is not plain. */
export function asideOf(
  { standing }: CaseDetermination,
  { voided, mayBeVoided, undecided }: Pick<Props, "voided" | "mayBeVoided" | "undecided">,
): string | undefined {
  if (standing !== "in-force") return "Never in force";
  if (voided) return "No longer in force: voided";
  if (mayBeVoided) return "May be voided: void status unknown";
  return undecided && "In force until the payer decides on the change";
}

const standings = {
  "in-force": "In force",
  superseded: "Superseded",
  "never-in-force": "Never in force: it came after the end, or its order is unknown",
} as const satisfies Record<CaseDetermination["standing"], string>;

type SheetProps = { readonly taskId: string; readonly of: DeterminationView; readonly known: KnownProviders };

function DeterminationSheet({ taskId, of, known }: SheetProps) {
  return (
    <div className="grid gap-3">
      <DeterminationFacts of={of} known={known} />
      {of.document && <Letter taskId={taskId} document={of.document} />}
    </div>
  );
}

/** What the payer decided, in full, on a page and on paper. */
export function DeterminationFacts({ of, known }: Omit<SheetProps, "taskId">) {
  const { outcome, authorizationNumber, reference, validFrom, validTo, lines, notes } = of;
  const { decidedAt, decidedOn, receivedAt, source, evidence } = of;
  const text = (name: string, value: string | undefined) =>
    value === undefined ? undefined : { name, value: <PlainText>{value}</PlainText> };
  return (
    <>
      <Facts
        list={[
          { name: "Outcome", value: <OutcomeBadge outcome={outcome} /> },
          text("Authorization number", authorizationNumber ?? (lacksNumber(of) ? "Not recorded" : undefined)),
          text("Payer reference", reference),
          text("Valid", datesOf({ fromDate: validFrom, toDate: validTo })),
          decidedAt === undefined ? undefined : { name: "Decided", value: <Time at={new Date(decidedAt)} /> },
          text("Decided", decidedOn === undefined ? undefined : dayText(decidedOn)),
          { name: source === "person" ? "Recorded" : "Received", value: <Time at={receivedAt} /> },
          { name: "Source", value: <HowLearned of={of} /> },
          text("Evidence", evidence),
        ]}
      />
      <AuthorizationProgress lines={lines} />
      {lines.length > 0 && <Lines list={lines} known={known} />}
      {notes.map((note, index) => (
        <QuotedText key={index}>{note}</QuotedText>
      ))}
    </>
  );
}

/** An approval of which no number is known, neither of the whole nor of a line. */
function lacksNumber({ outcome, authorizationNumber, lines }: DeterminationView): boolean {
  const isApproval = outcome !== "denied" && outcome !== "not-required";
  return isApproval && authorizationNumber === undefined && lines.every(({ number }) => number === undefined);
}

type LetterProps = { readonly taskId: string; readonly document: NonNullable<DeterminationView["document"]> };

/** What the payer wrote, as the person who recorded it had it; it opens in its place, and is asked for only then. */
function Letter({ taskId, document: { sha256, contentType, size } }: LetterProps) {
  const href = `/tasks/${taskId}/attachments/${sha256}`;
  return (
    <details>
      <summary>
        <span className="font-semibold">The payer's letter</span>{" "}
        <span className="text-sm text-ink-faint">
          {typeTexts[contentType]}, {sizeText(size)}
        </span>
      </summary>
      <div className="mt-2 grid gap-3">
        <div className="flex h-[70dvh] flex-col overflow-clip rounded-md border border-line print:hidden">
          <DocumentView file={{ name: "The payer's letter", contentType, href }} />
        </div>
        <Facts list={[{ name: "SHA-256", value: <Digest value={sha256} /> }]} />
        <p className="print:hidden">
          <a href={href} target="_blank" rel="noreferrer" className="underline">
            Open in a new tab
          </a>
        </p>
      </div>
    </details>
  );
}

function HowLearned({ of: { source, learned } }: { readonly of: DeterminationView }) {
  if (source !== "person") return "From the payer's answer";
  if (!learned) return "Recorded by a reviewer";
  return (
    <>
      {sentenceCase(contactText[learned.by])}
      {learned.from !== undefined && (
        <>
          , from <PlainText>{learned.from}</PlainText>
        </>
      )}
      . Recorded by a reviewer
    </>
  );
}

type LinesProps = { readonly list: readonly DeterminationLine[]; readonly known: KnownProviders };

function Lines({ list, known }: LinesProps) {
  return (
    <Table caption="The payer's answer to each service" columns={["#", "Answer", "Requested", "Authorized", "Number"]}>
      {list.map(({ sequence, action, requested, authorized, validFrom, validTo, number, reasons, notes = [] }) => (
        <Row key={sequence}>
          <Cell label="Service">{sequence}</Cell>
          <Cell label="Answer">
            {sentenceCase(reviewActions[action])} <span className="font-mono text-sm text-ink-faint">{action}</span>
            {reasons.map((reason, index) => (
              <span key={index} className="block text-sm text-ink-faint">
                <Reason {...decisionReason(reason)} />
              </span>
            ))}
            {notes.map((note, index) => (
              <QuotedText key={index}>{note}</QuotedText>
            ))}
          </Cell>
          <Cell label="Requested">
            <Terms of={requested && comparable(requested, authorized)} known={known} />
          </Cell>
          <Cell label="Authorized">
            <Terms of={authorized} against={requested} known={known} />
            {(validFrom ?? validTo) !== undefined && (
              <span className="block text-sm">
                Valid <PlainText>{datesOf({ fromDate: validFrom, toDate: validTo }) ?? ""}</PlainText>
              </span>
            )}
          </Cell>
          <Cell label="Number">{number !== undefined && <PlainText>{number}</PlainText>}</Cell>
        </Row>
      ))}
    </Table>
  );
}

/** What was asked, with provider and place only where the payer named them. */
function comparable({ providers, place, ...service }: LineTerms, authorized: LineTerms | undefined): LineTerms {
  return {
    ...service,
    ...(authorized?.providers ? { providers } : {}),
    ...(authorized?.place === undefined ? {} : { place }),
  };
}

function Reason({ code, label }: DecisionReason) {
  return (
    <>
      {label !== undefined && `${sentenceCase(label)} `}
      <span className="font-mono">
        <PlainText>{code}</PlainText>
      </span>
    </>
  );
}
