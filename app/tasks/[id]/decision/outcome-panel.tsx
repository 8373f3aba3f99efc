import type { ReactNode } from "react";
import { CopyButton } from "#components/form/copy-button";
import { Facts } from "#components/list/facts";
import { classNames } from "#components/shell/class-names";
import { dayText, spanOf } from "#lib/messages/labels/instant";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { nowMs } from "#lib/platform/now";
import { endOfDay } from "#lib/platform/zoned-time";
import { isDate } from "#lib/task/model/formats";
import { maybeVoidedText } from "#lib/messages/reviewer/unconfirmed";
import { decisionReason } from "#lib/messages/decision-reasons";
import type { CaseDetermination, CaseView } from "#lib/task/views";
import { AuthorizedLines } from "../payer/authorized-lines.tsx";
import { nextStep } from "../payer/recourse.tsx";
import { DueBy, RequestedItems } from "../payer/requested-information.tsx";
import { knownProviders } from "../payer/term-texts.ts";
import { datesOf } from "../request/review-text.ts";

/** What the payer answered, by what a person does with it: use the number, send what is asked for, or act on a denial. */
export function OutcomePanel({ view }: { readonly view: CaseView }) {
  const { informationRequest, determinations, voided } = view;
  const current = determinations.findLast(({ standing }) => standing === "in-force");
  if (informationRequest) return <Pended view={view} informationRequest={informationRequest} />;
  if (!current || voided) return null;
  if (current.outcome === "denied") return <Denied of={current} view={view} />;
  if (current.outcome === "not-required") return <NotRequired of={current} />;
  return <Approved of={current} view={view} />;
}

type Of = { readonly of: CaseDetermination };

type DeterminedProps = Of & { readonly view: CaseView };

function Approved({ of, view: { review, state, practice } }: DeterminedProps) {
  // A void of it was submitted, and it is unknown whether the payer received that.
  const mayBeVoided = state === "void-unconfirmed";
  const { outcome, authorizationNumber, reference, validFrom, validTo, lines, notes } = of;
  return (
    <Box label="Approval" tone={outcome === "approved" && !mayBeVoided ? "good" : "warn"}>
      {mayBeVoided && <p className="font-semibold text-warn">{maybeVoidedText}</p>}
      <AuthorizationNumber of={of} />
      <Facts
        slim
        list={[
          validFrom || validTo
            ? {
                name: "Valid",
                value: (
                  <>
                    {datesOf({ fromDate: validFrom, toDate: validTo })}
                    {validTo !== undefined && <Ends on={validTo} zone={practice.timeZone} />}
                  </>
                ),
              }
            : undefined,
          reference === undefined
            ? undefined
            : {
                name: "Payer reference",
                value: (
                  <span className="font-mono text-sm">
                    <PlainText>{reference}</PlainText>
                  </span>
                ),
              },
        ]}
      />
      <AuthorizedLines lines={lines} known={knownProviders(review)} number={authorizationNumber} />
      <PayerNotes notes={notes} />
    </Box>
  );
}

function NotRequired({ of: { reference, notes } }: Of) {
  return (
    <Box label="No authorization required" tone="good">
      <p>The payer requires no authorization for this service. Keep its reference with the claim.</p>
      <Reference name="Payer reference" value={reference} />
      <PayerNotes notes={notes} />
    </Box>
  );
}

function Denied({ of, view: { recourse, state } }: DeterminedProps) {
  const { reference, lines, notes, decidedAt, decidedOn, receivedAt } = of;
  const reasons = [...new Set(lines.flatMap((line) => line.reasons))].map(decisionReason);
  return (
    <Box label="Denial" tone="bad">
      <div>
        <h3 className="mb-1 text-sm font-semibold">Reason</h3>
        <PayerNotes notes={notes} />
        {reasons.length > 0 && (
          <ul className="mt-1 grid gap-1">
            {reasons.map(({ code, label }) => (
              <li key={code}>
                {label !== undefined && `${label.charAt(0).toUpperCase()}${label.slice(1)} `}
                <span className="font-mono text-sm text-ink-faint">
                  <PlainText>{code}</PlainText>
                </span>
              </li>
            ))}
          </ul>
        )}
        {notes.length === 0 && reasons.length === 0 && <p className="text-ink-soft">The payer gave none.</p>}
      </div>
      <Facts
        slim
        list={[
          {
            name: "Decided",
            value:
              decidedOn === undefined ? (
                <Time at={decidedAt === undefined ? receivedAt : new Date(decidedAt)} />
              ) : (
                dayText(decidedOn)
              ),
          },
          recourse && {
            name: "Appeal by",
            value: recourse.terms?.by === undefined ? "Not recorded" : dayText(recourse.terms.by),
          },
          recourse?.terms?.how === undefined
            ? undefined
            : { name: "How to appeal", value: <PlainText>{recourse.terms.how}</PlainText> },
          recourse && { name: "Next step", value: nextStep(recourse, state) },
          reference === undefined
            ? undefined
            : {
                name: "Payer reference",
                value: (
                  <span className="font-mono text-sm">
                    <PlainText>{reference}</PlainText>
                  </span>
                ),
              },
        ]}
      />
    </Box>
  );
}

type PendedProps = {
  readonly view: CaseView;
  readonly informationRequest: NonNullable<CaseView["informationRequest"]>;
};

function Pended({ view: { state }, informationRequest: { text, items, dueBy } }: PendedProps) {
  const isAnswered = state !== "payer-needs-information";
  return (
    <Box label="Information requested by the payer" tone="warn">
      <p className="text-lg font-semibold">
        {dueBy === undefined ? "No due date given" : <DueBy at={dueBy} />}
        <span className="block text-base font-normal text-ink-soft">
          {isAnswered ? "Answered: a new revision is on its way." : "Not answered yet. The agent sends a new revision."}
        </span>
      </p>
      <QuotedText>{text}</QuotedText>
      <RequestedItems list={items} />
    </Box>
  );
}

const edges = { good: "border-good", bad: "border-bad", warn: "border-warn" } as const;

type BoxProps = { readonly label: string; readonly tone: keyof typeof edges; readonly children: ReactNode };

function Box({ label, tone, children }: BoxProps) {
  return (
    <section
      aria-label={label}
      className={classNames("grid gap-4 rounded-md border border-t-4 bg-surface p-4", edges[tone])}
    >
      {children}
    </section>
  );
}

/** An approval without a number is said to have none, unless its lines have numbers: a claim needs one. */
function AuthorizationNumber({ of: { authorizationNumber, lines } }: Of) {
  if (authorizationNumber !== undefined) return <Reference name="Authorization number" value={authorizationNumber} />;
  if (lines.some(({ number }) => number !== undefined)) return null;
  return (
    <div>
      <p className="text-sm text-ink-faint">Authorization number</p>
      <p>Not recorded</p>
    </div>
  );
}

type ReferenceProps = { readonly name: string; readonly value: string | undefined; readonly small?: boolean };

/** A number people read out on the phone and copy into other systems. */
function Reference({ name, value, small = false }: ReferenceProps) {
  if (value === undefined) return null;
  return (
    <div>
      {name !== "" && <p className="text-sm text-ink-faint">{name}</p>}
      <p className="flex flex-wrap items-center gap-2">
        <span className={classNames("font-mono font-semibold wrap-anywhere", !small && "text-xl")}>
          <PlainText>{value}</PlainText>
        </span>
        <CopyButton text={value} of={name === "" ? value : name.toLowerCase()} />
      </p>
    </div>
  );
}

const dayMs = 24 * 60 * 60 * 1000;

/** How long an approval still holds, to the end of its last day at the practice; and that it has ended. */
function Ends({ on, zone }: { readonly on: string; readonly zone: string }) {
  const end = isDate(on) ? endOfDay(zone, on, 0) : undefined;
  if (!end) return null;
  const leftMs = end.getTime() - nowMs();
  if (leftMs <= 0) return <span className="block font-semibold text-bad">Ended</span>;
  return (
    <span className={leftMs < 14 * dayMs ? "block font-semibold text-warn" : "block text-ink-soft"}>
      Ends in {spanOf(leftMs)}
    </span>
  );
}

function PayerNotes({ notes }: { readonly notes: readonly string[] }) {
  return notes.map((note, index) => <QuotedText key={index}>{note}</QuotedText>);
}
