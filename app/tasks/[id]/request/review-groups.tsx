import type { Fact } from "#components/list/facts";
import { dayText } from "#lib/messages/labels/instant";
import { phoneText } from "#lib/messages/labels/phone-text";
import { PlainText } from "#components/text/plain-text";
import { coverageDetails, furtherDetails, memberDetails, providerDetails } from "#lib/task/model/further-details";
import type { Provider, ServiceReview } from "#lib/task/model/service-review";
import type { ChangeMarks } from "./change-marks.ts";
import { detailFact, fieldFact, joinedFact } from "./review-fields.tsx";
import { ageIn, amountOf, datesOf, nameOf, type DateRange, type Quantity } from "./review-text.ts";

type Facts = readonly (Fact | undefined)[];
type Payer = { readonly id: string; readonly name?: string | undefined };

type PatientView = {
  readonly review: ServiceReview;
  readonly payer: Payer;
  readonly practice: { readonly timeZone: string };
};

/** Who the patient is, and how they are covered. */
export function patientFacts({ review, payer, practice }: PatientView, marks: ChangeMarks): Facts {
  const { patient, subscriber } = review;
  const ofPatient = new Map(memberDetails(patient));
  // What the two have in common is shown once.
  const ofSubscriber = memberDetails(subscriber).filter(([label, value]) => ofPatient.get(label) !== value);
  const changedName = ["firstName", "lastName"].flatMap((part) => [
    marks.take(`/patient/${part}`),
    marks.take(`/subscriber/${part}`),
  ]);
  const isChanged = changedName.some((change) => change !== undefined);
  return [
    {
      name: "Patient",
      value: (
        <>
          {nameOf(patient) === undefined ? <None>Not named</None> : <PlainText>{nameOf(patient) ?? ""}</PlainText>}
          {isChanged && <span className="block text-sm font-semibold text-news">name changed</span>}
        </>
      ),
    },
    fieldFact(marks, {
      ...{ name: "DOB", value: patient?.birthDate, at: "/patient/birthDate" },
      write: (day) => `${dayText(day)} (${ageIn(day, practice.timeZone)})`,
    }),
    fieldFact(marks, { name: "Sex", value: patient?.genderCode, at: "/patient/genderCode", list: "gender" }),
    fieldFact(marks, {
      ...{ name: "Member ID", value: subscriber?.memberId, at: "/subscriber/memberId", mono: true },
    }),
    nameOf(subscriber) === undefined || nameOf(subscriber) === nameOf(patient)
      ? undefined
      : { name: "Subscriber", value: <PlainText>{nameOf(subscriber) ?? ""}</PlainText> },
    fieldFact(marks, {
      name: "Relationship to subscriber",
      value: patient?.subscriberRelationshipCode,
      at: "/patient/subscriberRelationshipCode",
      list: "relationship",
    }),
    ...memberDetails(patient).map(detailFact),
    ...ofSubscriber.map(([label, value]) => detailFact([`Subscriber's ${label.toLowerCase()}`, value])),
    ...coverageDetails(review).map(detailFact),
    { name: "Payer", value: <PayerName payer={payer} /> },
  ];
}

/** How urgent it is, when, where, and of what kind. */
export function requestFacts(review: ServiceReview, marks: ChangeMarks): Facts {
  const { urgentAttestation: attested } = review;
  return [
    fieldFact(marks, {
      ...{ name: "Urgency", value: review.serviceLevelCode, at: "/serviceLevelCode", list: "level" },
    }) ?? { name: "Urgency", value: "Routine" },
    fieldFact(marks, {
      name: "Urgency attested",
      value: typeof attested === "boolean" ? (attested ? "Yes" : "No") : attested,
      at: "/urgentAttestation",
    }),
    datesFact(review, { at: "", marks }),
    amountFact(review, { at: "", marks }),
    fieldFact(marks, {
      name: "Place of service",
      value: review.placeOfServiceCode,
      at: "/placeOfServiceCode",
      list: "place",
    }),
    fieldFact(marks, {
      ...{ name: "Service type", value: review.serviceTypeCode, at: "/serviceTypeCode", list: "serviceType" },
    }),
    fieldFact(marks, {
      ...{ name: "Request type", value: review.requestTypeCode, at: "/requestTypeCode", list: "request" },
    }),
    fieldFact(marks, {
      name: "Certification type",
      value: review.certificationTypeCode,
      at: "/certificationTypeCode",
      list: "certification",
    }),
    fieldFact(marks, { name: "Agent's reference", value: review.externalReference, at: "/externalReference" }),
    ...furtherDetails(review).map(detailFact),
  ];
}

type At = {
  /** The pointer of what the values belong to. */
  readonly at: string;
  readonly marks: ChangeMarks;
};

/** The days of the whole request, or of one line. */
export function datesFact({ fromDate, toDate }: DateRange, { at, marks }: At): Fact | undefined {
  const [from, to] = [`${at}/fromDate`, `${at}/toDate`];
  return joinedFact(marks, {
    name: "Service dates",
    parts: { [from]: fromDate, [to]: toDate },
    write: (values) => datesOf({ fromDate: values[from], toDate: values[to] }),
  });
}

/** How much of it. */
export function amountFact({ quantity, quantityTypeCode }: Quantity, { at, marks }: At): Fact | undefined {
  const [count, unit] = [`${at}/quantity`, `${at}/quantityTypeCode`];
  return joinedFact(marks, {
    name: "Quantity",
    parts: { [count]: quantity, [unit]: quantityTypeCode },
    write: (values) =>
      values[count] === undefined ? undefined : (
        <>
          {amountOf({ quantity: Number(values[count]), quantityTypeCode: values[unit] })}{" "}
          {values[unit] !== undefined && <span className="font-mono text-sm text-ink-faint">{values[unit]}</span>}
        </>
      ),
  });
}

/** Everyone who asks for it or does it, each with the pointer of where they stand in the review. */
export function providersOf({ requestingProvider, renderingProviders = [] }: ServiceReview) {
  return [
    ...(requestingProvider ? [{ role: "Requesting", of: requestingProvider, at: "/requestingProvider" }] : []),
    ...renderingProviders.map((of, index) => ({ role: "Servicing", of, at: `/renderingProviders/${index}` })),
  ];
}

export function providerFacts(role: string, of: Provider, { at, marks }: { at: string; marks: ChangeMarks }): Facts {
  const isPerson = of.firstName !== undefined || of.lastName !== undefined;
  const field = (name: string, member: "npi" | "taxId" | "contactName") =>
    fieldFact(marks, { name, value: of[member], at: `${at}/${member}`, mono: member === "npi" || member === "taxId" });
  return [
    { name: role, value: nameOf(of) === undefined ? <None>No name</None> : <PlainText>{nameOf(of) ?? ""}</PlainText> },
    isPerson
      ? fieldFact(marks, { name: "Organization", value: of.organizationName, at: `${at}/organizationName` })
      : undefined,
    field("NPI", "npi"),
    field("Tax ID", "taxId"),
    fieldFact(marks, {
      ...{ name: "Specialty", value: of.specialtyCode, at: `${at}/specialtyCode`, list: "specialty" },
    }),
    field("Contact", "contactName"),
    fieldFact(marks, { name: "Phone", value: of.phone, at: `${at}/phone`, write: phoneText }),
    fieldFact(marks, { name: "Fax", value: of.fax, at: `${at}/fax`, write: phoneText }),
    ...providerDetails(of).map(detailFact),
  ];
}

function PayerName({ payer: { id, name } }: { readonly payer: Payer }) {
  return (
    <>
      {name !== undefined && <PlainText>{name}</PlainText>}{" "}
      <span className="font-mono text-sm text-ink-faint">
        <PlainText>{id}</PlainText>
      </span>
    </>
  );
}

function None({ children }: { readonly children: string }) {
  return <span className="text-ink-faint">{children}</span>;
}
