import type { Encounter, PractitionerRole, Reference } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { diagnosesOf } from "./diagnoses.ts";
import { facilityOf, type Parties } from "./parties.ts";
import { coded, concept, defined, type Entry, namesOf, part } from "./parts.ts";
import { extensions, profiles, systems } from "./vocabulary.ts";

/** The stay or visit a request is about, with the entries it needs; none where the request describes no stay. */
export type Stay = { readonly encounter: Reference | undefined; readonly entries: readonly Entry[] };

/**
 * The planned Encounter of a request with an admission type (PAS profile-encounter, X12 CL1), at the facility where one
 * is named. A facility has a place (profile-location) where its name and address are known, which that profile demands.
 */
export function stayOf(from: Build, parties: Parties): Stay {
  const { review } = from;
  if (review.admissionTypeCode === undefined) return { encounter: undefined, entries: [] };
  const { fromDate, toDate, dischargeDate, admissionSourceCode, requestTypeCode } = review;
  const facility = facilityOf(from);
  const end = dischargeDate ?? toDate;
  const period = fromDate === undefined ? undefined : defined({ start: fromDate, end });
  const encounter = defined<Encounter>({
    resourceType: "Encounter",
    meta: { profile: [profiles.encounter] },
    extension: statusesOf(review),
    status: "planned",
    class: { system: systems.encounterClass, code: requestTypeCode === "AR" ? "IMP" : "AMB" },
    type: [concept(systems.admissionType, review.admissionTypeCode)],
    subject: parties.patient,
    participant: participantsOf(parties, period),
    period,
    reasonCode: reasonsOf(review),
    hospitalization:
      admissionSourceCode === undefined
        ? undefined
        : { admitSource: concept(systems.admissionSource, admissionSourceCode) },
    location: facility.location && [{ location: facility.location }],
    serviceProvider: facility.organization,
  });
  const { reference, entries } = part(namesOf(from)("encounter"), encounter);
  return { encounter: reference, entries: [...entries, ...facility.entries] };
}

/** Who takes part, by X12 98; whoever has another role there simply takes part. */
const participations: Readonly<Record<string, string>> = { "71": "ATND", "72": "PPRF", DN: "REF" };

/** The people of the care team; an organization cannot take part in an Encounter. */
function participantsOf({ careTeam, entries }: Parties, period: Encounter["period"]): Encounter["participant"] {
  const people = careTeam.flatMap(({ provider, roleCode = "" }) => {
    const named = entries.find(({ fullUrl }) => fullUrl === provider.reference)?.resource;
    // Safe because the line says which resource it is.
    const individual =
      named?.resourceType === "PractitionerRole" ? (named as PractitionerRole).practitioner : undefined;
    const type = [concept(systems.participation, participations[roleCode] ?? "PART")];
    return individual ? [defined({ type, period, individual })] : [];
  });
  return people.length > 0 ? people : undefined;
}

function reasonsOf(review: Build["review"]): Encounter["reasonCode"] {
  const codes = diagnosesOf(review).flatMap(({ diagnosisCodeableConcept }) => diagnosisCodeableConcept ?? []);
  return codes.length > 0 ? codes : undefined;
}

function statusesOf({ patientStatusCode, nursingHomeResidentialStatusCode }: Build["review"]): Encounter["extension"] {
  const list = [
    ...(patientStatusCode === undefined
      ? []
      : [coded(extensions.patientStatus, systems.patientStatus, patientStatusCode)]),
    ...(nursingHomeResidentialStatusCode === undefined
      ? []
      : [
          coded(
            extensions.nursingHomeResidentialStatus,
            systems.nursingHomeResidentialStatus,
            nursingHomeResidentialStatusCode,
          ),
        ]),
  ];
  return list.length > 0 ? list : undefined;
}
