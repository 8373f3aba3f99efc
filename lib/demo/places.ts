import type { CreatePractice } from "#lib/practice/create-practice";
import { demoPayerIds } from "#lib/practice/model/demo-payers";
import type { LineOfBusiness } from "#lib/task/model/decision-times";
import type { Provider } from "#lib/task/model/service-review";

/** Three invented practices. The demo channel and the reviewer can access the first two. */
export const practices = {
  spine: { id: "lakeshore-spine", name: "Lakeshore Spine & Orthopedics" },
  cardiology: { id: "alder-cardiology", name: "Alder Creek Cardiology" },
  sleep: { id: "riverbend-sleep", name: "Riverbend Sleep & Pulmonary" },
} as const satisfies Record<string, Pick<CreatePractice, "id" | "name">>;

export type PracticeKey = keyof typeof practices;

/** Invented payers; no insurer has these names or ids. */
export const payers = {
  harborlight: { id: demoPayerIds.harborlight, name: "Harborlight Health Plan" },
  tamarack: { id: demoPayerIds.tamarack, name: "Tamarack Valley Mutual" },
  bluegate: { id: demoPayerIds.bluegate, name: "Bluegate Community Plan" },
  marigold: { id: demoPayerIds.marigold, name: "Marigold Health Network" },
  /** Reviews cardiac imaging for Harborlight. */
  northlight: { id: demoPayerIds.northlight, name: "Northlight Imaging Review" },
  /** A payer without a route. */
  sturgeon: { id: demoPayerIds.sturgeon, name: "Sturgeon Lake Trades Fund" },
} as const;

export type PayerKey = keyof typeof payers;

/** The line of business whose decision times bind each payer. */
export const payerLines = {
  harborlight: "medicare-advantage",
  tamarack: "unknown",
  bluegate: "medicaid-managed-care",
  marigold: "medicare-advantage",
  northlight: "medicare-advantage",
  sturgeon: "unknown",
} as const satisfies Record<PayerKey, LineOfBusiness>;

/** How each practice reaches its payers; `pas-fhir` and `service-review` go to the payer simulator. */
export const routes = [
  ["spine", "harborlight", "pas-fhir"],
  ["spine", "tamarack", "pas-fhir"],
  ["spine", "marigold", "service-review"],
  ["spine", "bluegate", "manual"],
  ["cardiology", "harborlight", "pas-fhir"],
  ["cardiology", "bluegate", "pas-fhir"],
  ["cardiology", "tamarack", "manual"],
  ["cardiology", "northlight", "pas-fhir"],
  ["sleep", "harborlight", "pas-fhir"],
  ["sleep", "bluegate", "manual"],
] as const satisfies readonly (readonly [PracticeKey, PayerKey, "pas-fhir" | "service-review" | "manual"])[];

type Directory = {
  readonly unlistedPayers: "refuse" | "manual";
  readonly listed: readonly (readonly [payer: PayerKey, aliases: readonly string[]])[];
};

/** The payer directories. The first two practices take requests to other payers too, with a warning. */
export const directories: readonly (readonly [practice: PracticeKey, directory: Directory])[] = [
  [
    "spine",
    {
      unlistedPayers: "manual",
      listed: [
        ["harborlight", ["Harborlight", "HLHP"]],
        ["tamarack", ["Tamarack Mutual", "TVM"]],
        ["marigold", ["Marigold"]],
        ["bluegate", ["Bluegate", "BGCP"]],
      ],
    },
  ],
  [
    "cardiology",
    {
      unlistedPayers: "manual",
      listed: [
        ["harborlight", ["Harborlight", "HLHP"]],
        ["bluegate", ["Bluegate"]],
        ["tamarack", ["Tamarack Mutual"]],
        ["northlight", []],
      ],
    },
  ],
  [
    "sleep",
    {
      unlistedPayers: "refuse",
      listed: [
        ["harborlight", ["Harborlight"]],
        ["bluegate", ["Bluegate"]],
      ],
    },
  ],
];

/** What Harborlight leaves to others to review. */
export const cardiacImaging = {
  name: "Cardiac imaging",
  serviceTypes: [],
  codes: ["78451-78494", "93015-93018", "93303-93355"],
  linesOfBusiness: [],
  connection: payers.northlight.id,
} as const;

const office = {
  spine: {
    organizationName: practices.spine.name,
    contactName: "Pat Lindgren",
    phone: "6055550118",
    fax: "6055550119",
  },
  cardiology: {
    organizationName: practices.cardiology.name,
    contactName: "Jo Amadi",
    phone: "6055550142",
    fax: "6055550143",
  },
  sleep: { organizationName: practices.sleep.name, contactName: "Sam Ortega", phone: "6055550166", fax: "6055550167" },
} as const;

/** Invented clinicians. Their NPIs begin with 2, a range from which no number was ever assigned. */
export const providers = {
  lindqvist: {
    npi: npi("200048102"),
    lastName: "Lindqvist",
    firstName: "Maja",
    specialtyCode: "207X00000X",
    ...office.spine,
  },
  osei: { npi: npi("200048117"), lastName: "Osei", firstName: "Kwabena", specialtyCode: "2081P2900X", ...office.spine },
  varga: {
    npi: npi("200051260"),
    lastName: "Varga",
    firstName: "Ilona",
    specialtyCode: "207RC0000X",
    ...office.cardiology,
  },
  mistry: {
    npi: npi("200051274"),
    lastName: "Mistry",
    firstName: "Rohan",
    specialtyCode: "207RC0001X",
    ...office.cardiology,
  },
  achterberg: {
    npi: npi("200063305"),
    lastName: "Achterberg",
    firstName: "Joost",
    specialtyCode: "207RS0012X",
    ...office.sleep,
  },
} as const satisfies Record<string, Provider>;

export type ProviderKey = keyof typeof providers;

export const facilities = {
  imaging: { npi: npi("200077410"), organizationName: "Lakeshore Imaging Center", specialtyCode: "261QR0200X" },
  surgery: { npi: npi("200077428"), organizationName: "Bayview Surgery Center", specialtyCode: "261QA1903X" },
  hospital: { npi: npi("200077436"), organizationName: "Prairie Regional Hospital", specialtyCode: "282N00000X" },
  therapy: { npi: npi("200077443"), organizationName: "Northshore Physical Therapy", specialtyCode: "261QP2000X" },
  equipment: { npi: npi("200077451"), organizationName: "Corner Street Medical Supply", specialtyCode: "332B00000X" },
  sleepLab: { npi: npi("200077469"), organizationName: "Riverbend Sleep Laboratory", specialtyCode: "261QS1200X" },
} as const satisfies Record<string, Provider>;

export type FacilityKey = keyof typeof facilities;

/** Nine digits with the check digit that makes them an NPI: Luhn over 80840 and the number (45 CFR 162.406). */
function npi(nine: string): string {
  const sum = [...`80840${nine}`].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${nine}${(10 - (sum % 10)) % 10}`;
}
