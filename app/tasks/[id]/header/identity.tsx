import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import type { ReactNode } from "react";
import { Badge } from "#components/list/badge";
import { dayText } from "#lib/messages/labels/instant";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { receiverOf } from "#lib/messages/reviewer/connection";
import { connectorText } from "#lib/messages/connector-text";
import { nowMs } from "#lib/platform/now";
import { codeWord } from "#lib/messages/labels/codes";
import { hasDeadline } from "#lib/task/model/clock";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { CaseView } from "#lib/task/views";
import { classNames } from "#components/shell/class-names";
import { AgentMark } from "../request/review-lines.tsx";
import { ageIn, amountOf, isUrgent, nameOf } from "../request/review-text.ts";

type Props = {
  readonly view: CaseView;
  /** Who works on it, with the way to change that; undefined for whoever does not work on cases. */
  readonly assignee: ReactNode | undefined;
};

/** Who the case is about, what is asked for, by and for whom, and by when: what tells it from every other. */
export function Identity({ view, assignee }: Props) {
  const { review } = view;
  return (
    <header className="grid gap-3 px-4 py-3 print:px-0">
      <div className="grid gap-0.5">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h1 className="text-2xl font-semibold wrap-anywhere">
            <PlainText>{nameOf(review.patient) ?? "No patient named"}</PlainText>
          </h1>
          <p className="text-lg text-ink-soft">
            <PatientFacts review={review} zone={view.practice.timeZone} />
          </p>
        </div>
        <Service review={review} />
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 xl:grid-cols-[2fr_1.5fr_1fr_1fr_1.25fr_1.75fr]">
        <Fact name="Providers">
          <Providers review={review} />
        </Fact>
        <Fact name="Payer">
          <Payer view={view} />
        </Fact>
        <Fact name="Urgency">
          {isUrgent(review) ? (
            <Badge tone="bad">Urgent</Badge>
          ) : (
            (codeWord("level", review.serviceLevelCode ?? "") ?? "Routine")
          )}
        </Fact>
        <Fact name="Due">
          <Due at={view.dueAt} />
        </Fact>
        <Fact name="Payer decision due">
          <PayerDue view={view} />
        </Fact>
        {assignee !== undefined && (
          <Fact name="Assignee" acts>
            {assignee}
          </Fact>
        )}
      </dl>
    </header>
  );
}

type FactProps = {
  readonly name: string;
  /** It is pressed rather than read, and takes a line of its own on a small screen. */
  readonly acts?: boolean | undefined;
  readonly children: ReactNode;
};

function Fact({ name, acts = false, children }: FactProps) {
  return (
    <div className={classNames("min-w-0", acts && "max-md:col-span-full")}>
      <dt className="text-xs font-semibold text-ink-faint">{name}</dt>
      <dd
        className={classNames(
          "wrap-anywhere",
          acts && "max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3",
        )}
      >
        {children}
      </dd>
    </div>
  );
}

type PatientProps = { readonly review: ServiceReview; readonly zone: string };

/** Sex and age, DOB, member ID: what a person on the phone asks for. */
function PatientFacts({ review: { patient, subscriber }, zone }: PatientProps) {
  const sex = patient?.genderCode === undefined ? undefined : codeWord("gender", patient.genderCode);
  const age = patient?.birthDate === undefined ? undefined : ageIn(patient.birthDate, zone);
  const parts = [
    [sex, age].filter((part) => part !== undefined).join(", "),
    patient?.birthDate === undefined ? "" : `DOB ${dayText(patient.birthDate)}`,
    subscriber?.memberId === undefined ? "" : `Member ID ${subscriber.memberId}`,
  ].filter((part) => part !== "");
  return parts.map((part, index) => (
    <span key={part}>
      {/* The spaces are read too, or the words would run into each other. */}
      {index > 0 && (
        <>
          {" "}
          <span aria-hidden>·</span>{" "}
        </>
      )}
      <span className="whitespace-nowrap">
        <PlainText>{part}</PlainText>
      </span>
    </span>
  ));
}

/** The first service in the agent's words, how much of it, and why. */
function Service({ review }: { readonly review: ServiceReview }) {
  const [first] = review.procedures;
  const [diagnosis] = review.diagnoses ?? [];
  const more = review.procedures.length - 1;
  const amount = first && (amountOf(first) ?? amountOf(review));
  return (
    <p className="text-lg">
      <span className="font-mono font-semibold">
        <PlainText>{first?.code ?? ""}</PlainText>
      </span>{" "}
      {first?.description !== undefined && (
        <>
          <q className="font-semibold">
            <PlainText>{first.description}</PlainText>
          </q>{" "}
          <AgentMark />{" "}
        </>
      )}
      {more > 0 && <span className="text-ink-soft">and {more} more </span>}
      {amount !== undefined && (
        <span className="text-ink-soft">
          <span aria-hidden>· </span>
          {amount}{" "}
        </span>
      )}
      {diagnosis && (
        <span className="text-ink-soft">
          <span aria-hidden>· </span>
          <span className="font-mono">{diagnosis.code}</span>{" "}
          {diagnosis.description !== undefined && <PlainText>{diagnosis.description}</PlainText>}
        </span>
      )}
    </p>
  );
}

/** Who asks, who does it, and where. */
function Providers({
  review: { requestingProvider, renderingProviders = [], facility },
}: {
  readonly review: ServiceReview;
}) {
  const requesting = nameOf(requestingProvider);
  const servicing = renderingProviders.map((one) => nameOf(one) ?? one.npi).filter((name) => name !== undefined);
  const where = facility?.name;
  if (requesting === undefined && servicing.length === 0) return <None>Not named</None>;
  return (
    <>
      <PlainText>{requesting ?? requestingProvider?.npi ?? "Not named"}</PlainText>
      {servicing.length > 0 && (
        <>
          <span aria-hidden> → </span>
          <span className="sr-only">, servicing: </span>
          <PlainText>{servicing.slice(0, 2).join(", ")}</PlainText>
          {servicing.length > 2 && ` and ${servicing.length - 2} more`}
        </>
      )}
      {where !== undefined && (
        <span className="block text-sm text-ink-soft">
          at <PlainText>{where}</PlainText>
        </span>
      )}
    </>
  );
}

function Payer({ view }: { readonly view: CaseView }) {
  const { payer, lineOfBusiness, connector } = view;
  const lines: Readonly<Record<string, string>> = linesOfBusiness;
  const line = lineOfBusiness === undefined || lineOfBusiness === "unknown" ? undefined : lines[lineOfBusiness];
  const { name, reviewsFor } = receiverOf(view);
  return (
    <>
      <PlainText>{payer.name ?? payer.id}</PlainText>
      {reviewsFor !== undefined && (
        <span className="block text-sm">
          Reviewed by <PlainText>{name}</PlainText>
        </span>
      )}
      <span className="block text-sm text-ink-soft">{line ?? connectorText(connector)}</span>
    </>
  );
}

function Due({ at }: { readonly at: Date | undefined }) {
  if (!at) return <None>–</None>;
  const isLate = at.getTime() < nowMs();
  return (
    <span className={isLate ? "font-semibold text-bad" : undefined}>
      <Time at={at} as={isLate ? "late" : "until"} />
    </span>
  );
}

function PayerDue({ view: { clock, gate, payerReceipt, lineOfBusiness } }: { readonly view: CaseView }) {
  if (!clock) {
    if (gate?.status !== "open" || payerReceipt !== "no") return <None>–</None>;
    return <None>{hasDeadline(lineOfBusiness) ? "Starts at payer receipt" : "Not configured"}</None>;
  }
  const { legal, stoppedAt, undecided } = clock;
  if (!legal.known) return <None>Not configured</None>;
  if (undecided) return <None>Voided</None>;
  if (stoppedAt) return legal.overdue ? <span className="font-semibold text-warn">Decided late</span> : <>Met</>;
  return (
    <span className={legal.overdue ? "font-semibold text-bad" : undefined}>
      <Time at={legal.dueAt} as={legal.overdue ? "late" : "until"} />
    </span>
  );
}

function None({ children }: { readonly children: string }) {
  return <span className="text-ink-faint">{children}</span>;
}
