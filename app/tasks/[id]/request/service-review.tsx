import { Fragment, type ReactNode } from "react";
import { Facts, type Fact } from "#components/list/facts";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import type { CaseView } from "#lib/task/views";
import {
  coverageDetails,
  furtherDetails,
  memberDetails,
  providerDetails,
  type Detail,
} from "#lib/task/model/further-details";
import { codeText } from "#lib/task/model/code-words";
import { Diagnoses, Procedures } from "./review-lines.tsx";
import { ageIn, amountOf, datesOf } from "./review-text.ts";
import { nowMs } from "#lib/platform/now";

/** What the sheet is made from: a service review, and whom it goes to. */
type Reviewed = Pick<CaseView, "review" | "payer" | "codeSystems">;

/** The service review as a sheet: who, how urgent, what, why, and by whom. */
export function ServiceReviewSheet({ view }: { readonly view: Reviewed }) {
  return (
    <>
      <WhoAndWhen view={view} />
      <WhatIsAsked view={view} />
      <ProviderNotes review={view.review} />
    </>
  );
}

type WhoProps = { readonly view: Reviewed; readonly times?: readonly (Fact | undefined)[] };

/** For whom, how urgent, and how much time there is. */
export function WhoAndWhen({ view, times = [] }: WhoProps) {
  return (
    <div className="grid gap-x-8 border-t border-line first:border-t-0 xl:grid-cols-2 print:grid-cols-2 [&>section]:border-t-0 [&>section]:pt-4! max-xl:[&>section+section]:border-t print:[&>section+section]:border-t-0!">
      <PatientAndCoverage view={view} />
      <Request review={view.review} times={times} />
    </div>
  );
}

/** What is asked for, why, and by whom. */
export function WhatIsAsked({ view }: { readonly view: Reviewed }) {
  const { review } = view;
  return (
    <>
      <Procedures view={view} />
      {review.diagnoses && review.diagnoses.length > 0 && <Diagnoses list={review.diagnoses} />}
      <Providers review={review} />
    </>
  );
}

function PatientAndCoverage({ view }: { readonly view: Reviewed }) {
  const { patient, subscriber } = view.review;
  const relationship = patient?.subscriberRelationshipCode;
  const ofPatient = new Map(memberDetails(patient));
  // What the two have in common is shown once.
  const ofSubscriber = memberDetails(subscriber).filter(([label, value]) => ofPatient.get(label) !== value);
  return (
    <Section title="Patient and coverage">
      <Facts
        list={[
          { name: "Patient", value: nameOf(patient) ?? <Absent>none named</Absent> },
          fact("Born", patient?.birthDate && `${patient.birthDate} (${ageIn(patient.birthDate)})`),
          fact("Gender", patient?.genderCode && codeText("gender", patient.genderCode)),
          fact("Member id", subscriber?.memberId),
          nameOf(subscriber) === undefined ? undefined : { name: "Subscriber", value: nameOf(subscriber) },
          fact("To the subscriber", relationship && codeText("relationship", relationship)),
          ...memberDetails(patient).map(detailFact),
          ...ofSubscriber.map(([label, value]) => fact(`Subscriber's ${label.toLowerCase()}`, value)),
          ...coverageDetails(view.review).map(detailFact),
          fact("Payer", view.payer.name ? `${view.payer.name} (${view.payer.id})` : view.payer.id),
        ]}
      />
    </Section>
  );
}

/** How much time there is for a case: by our own target, and until the payer's clock can run. */
export function timesOf({ dueAt, gate, clock }: CaseView): readonly (Fact | undefined)[] {
  const open = gate?.status === "open";
  return [
    dueAt && { name: "Our target", value: <Target dueAt={dueAt} /> },
    open ? { name: "Gate closes", value: <Time at={gate.expiresAt} as="until" /> } : undefined,
    open && !clock ? { name: "Payer decision due", value: "starts when the payer receives it" } : undefined,
  ];
}

function Request({ review, times }: { readonly review: ServiceReview; readonly times: readonly (Fact | undefined)[] }) {
  const { serviceLevelCode: level, urgentAttestation, requestTypeCode, certificationTypeCode } = review;
  const attested = typeof urgentAttestation === "boolean" ? (urgentAttestation ? "yes" : "no") : urgentAttestation;
  return (
    <Section title="Request">
      <Facts
        list={[
          { name: "Urgency", value: level ? codeText("level", level) : "Routine" },
          fact("Urgency attested", attested),
          ...times,
          datesFact(review),
          fact("Quantity", amountOf(review)),
          fact("Place of service", review.placeOfServiceCode && codeText("place", review.placeOfServiceCode)),
          fact("Service type", review.serviceTypeCode),
          fact("Request type", requestTypeCode && codeText("request", requestTypeCode)),
          fact("Certification", certificationTypeCode && codeText("certification", certificationTypeCode)),
          fact("Agent's reference", review.externalReference),
          ...furtherDetails(review).map(detailFact),
        ]}
      />
    </Section>
  );
}

/** What is to convince the payer, in the provider's words. */
export function ProviderNotes({ review: { providerNotes = [] } }: { readonly review: ServiceReview }) {
  if (providerNotes.length === 0) return null;
  return (
    <Section title="Provider notes" aside="written by the agent, and sent">
      <div className="grid gap-3">
        {providerNotes.map(({ message, date }, index) => (
          <div key={index}>
            {date !== undefined && <p className="mb-1 text-sm text-ink-faint">{date}</p>}
            <QuotedText>{message}</QuotedText>
          </div>
        ))}
      </div>
    </Section>
  );
}

function Target({ dueAt }: { readonly dueAt: Date }) {
  const late = dueAt.getTime() < nowMs();
  return (
    <span className={late ? "font-semibold text-bad" : undefined}>
      <Time at={dueAt} as={late ? "late" : "until"} />
    </span>
  );
}

function Providers({ review: { requestingProvider, renderingProviders = [] } }: { readonly review: ServiceReview }) {
  if (!requestingProvider && renderingProviders.length === 0) return null;
  return (
    <Section title="Providers">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {requestingProvider && <ProviderSheet role="Requesting" of={requestingProvider} />}
        {renderingProviders.map((provider, index) => (
          <ProviderSheet key={index} role="Rendering" of={provider} />
        ))}
      </div>
    </Section>
  );
}

function ProviderSheet({ role, of }: { readonly role: string; readonly of: Provider }) {
  return (
    <Facts
      list={[
        { name: role, value: nameOf(of) ?? <Absent>no name</Absent> },
        of.organizationName && (of.firstName || of.lastName) ? fact("Organization", of.organizationName) : undefined,
        fact("NPI", of.npi),
        fact("Tax id", of.taxId),
        fact("Specialty", of.specialtyCode),
        fact("Contact", of.contactName),
        fact("Phone", of.phone),
        fact("Fax", of.fax),
        ...providerDetails(of).map(detailFact),
      ]}
    />
  );
}

type Named = {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly organizationName?: string | undefined;
};

function nameOf(of: Named | undefined): ReactNode {
  const names = [of?.firstName, of?.lastName].filter((name) => name !== undefined).join(" ");
  const text = names || of?.organizationName;
  return text === undefined || text === "" ? undefined : <PlainText>{text}</PlainText>;
}

/** Each of the dates stays in one piece. */
function datesFact(review: ServiceReview): Fact | undefined {
  const dates = datesOf(review);
  if (dates === undefined) return undefined;
  const value = dates.split(" to ").map((date, index) => (
    <Fragment key={index}>
      {index > 0 && " to "}
      <span className="whitespace-nowrap">
        <PlainText>{date}</PlainText>
      </span>
    </Fragment>
  ));
  return { name: "Service dates", value };
}

function detailFact([label, value]: Detail): Fact | undefined {
  return fact(label, value);
}

/** A fact in the agent's own words, or none. */
function fact(name: string, value: string | undefined): Fact | undefined {
  return value === undefined || value === "" ? undefined : { name, value: <PlainText>{value}</PlainText> };
}

function Absent({ children }: { readonly children: string }) {
  return <span className="text-ink-faint">{children}</span>;
}
