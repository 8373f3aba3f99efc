import type { ServiceReview } from "./client/index.js";
import type { Settings } from "./settings.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** What an agent knows after reading the order and the insurance card. Invented people. */
export function intakeOf({ minimal, payerId, memberId }: Intake, now: Date): ServiceReview {
  return minimal ? smallest(payerId) : whole({ payerId, memberId, now });
}

type Intake = Pick<Settings, "minimal" | "payerId" | "memberId">;

/** All the interface asks for; enough where a person carries it to the payer. */
function smallest(payerId = "BGCP7"): ServiceReview {
  return { payer: { id: payerId }, procedures: [{ code: "73721" }] };
}

type Whole = Pick<Settings, "payerId" | "memberId"> & { readonly now: Date };

/** All that a payer reached over FHIR asks for. */
function whole({ payerId = "HLHP1", memberId = "HL20551873", now }: Whole): ServiceReview {
  const surgeon = { npi: "2000481020", lastName: "Lindqvist", firstName: "Maja", specialtyCode: "207X00000X" };
  return {
    payer: { id: payerId },
    requestTypeCode: "HS",
    certificationTypeCode: "I",
    serviceTypeCode: "62",
    placeOfServiceCode: "22",
    fromDate: day(now, 10),
    toDate: day(now, 70),
    subscriber: { memberId, lastName: "Haugen", firstName: "Berit" },
    patient: {
      lastName: "Haugen",
      firstName: "Berit",
      birthDate: "1971-05-19",
      genderCode: "F",
      subscriberRelationshipCode: "18",
    },
    requestingProvider: { ...surgeon, organizationName: "Lakeshore Spine & Orthopedics", phone: "6055550118" },
    renderingProviders: [surgeon],
    diagnoses: [{ code: "M54.16", qualifierCode: "ABK", description: "Radiculopathy, lumbar region" }],
    procedures: [{ code: "72148", description: "MRI of the lower back", quantity: 1, quantityTypeCode: "UN" }],
    providerNotes: [
      { message: "Left leg pain with a new foot drop after seven weeks of therapy; an image decides on surgery." },
    ],
  };
}

function day(now: Date, ahead: number): string {
  return new Date(now.getTime() + ahead * dayMs).toISOString().slice(0, 10);
}
