import type { ReviewAction } from "#lib/task/model/determination";
import type { Outcome } from "#lib/task/model/task";

/** The lists whose codes we have words for. */
export type CodeList = keyof typeof texts;

/** What a code means, in our own words, followed by the code; the code alone if we have no words for it. */
export function codeText(list: CodeList, code: string): string {
  const text = codeWord(list, code);
  return text === undefined ? code : `${text} (${code})`;
}

/** What a code means, in our own words; undefined if we have none. */
export function codeWord(list: CodeList, code: string): string | undefined {
  const known: Readonly<Record<string, string>> = texts[list];
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

/** A quantity unit (X12 673) as a plain word for so many of it; the code where we have no word, "units" without one. */
export function unitText(unit: string | undefined, quantity: number): string {
  const word = codeWord("unit", unit ?? "UN") ?? unit ?? "";
  return word === unit || quantity === 1 ? word : `${word}s`;
}

const texts = {
  level: { U: "Urgent", E: "Elective", "03": "Emergency" },
  request: { HS: "Health services", AR: "Admission", SC: "Specialty care", IN: "Individual" },
  certification: { I: "Initial", R: "Renewal", S: "Revised", "4": "Extension", "3": "Cancel", "1": "Appeal" },
  gender: { F: "Female", M: "Male", U: "Unknown" },
  relationship: {
    "18": "Self",
    "01": "Spouse",
    "19": "Child",
    "20": "Employee",
    "21": "Unknown",
    "39": "Organ donor",
    "53": "Life partner",
    G8: "Other",
  },
  unit: { UN: "unit", VS: "visit", DY: "day", MO: "month", HH: "hour", HR: "hour", WK: "week", MJ: "minute" },
  admissionType: { "1": "Emergency", "2": "Urgent", "3": "Elective", "4": "Newborn", "5": "Trauma" },
  diagnosis: { ABK: "Principal", ABF: "Additional", ABJ: "Admitting" },
  // What a request is about, in plain words; the list itself is X12's, and its wording is not here.
  serviceType: {
    "1": "Medical care",
    "2": "Surgery",
    "3": "Consultation",
    "4": "X-ray",
    "5": "Laboratory tests",
    "6": "Radiation therapy",
    "7": "Anesthesia",
    "8": "Assistance in surgery",
    "12": "Equipment, bought",
    "18": "Equipment, rented",
    "33": "Chiropractic",
    "35": "Dental care",
    "40": "Oral surgery",
    "42": "Care at home",
    "44": "Visits at home",
    "45": "Hospice",
    "46": "Respite care",
    "48": "Inpatient stay",
    "50": "Outpatient hospital care",
    "54": "Long-term care",
    "56": "Transport",
    "62": "MRI or CT imaging",
    "64": "Acupuncture",
    "69": "Maternity care",
    "70": "Transplant",
    "71": "Audiology",
    "72": "Inhalation therapy",
    "73": "Diagnostic tests",
    "74": "Private nursing",
    "75": "Prosthetic device",
    "76": "Dialysis",
    "78": "Chemotherapy",
    "79": "Allergy tests",
    "80": "Vaccination",
    "83": "Infertility care",
    "86": "Emergency care",
    "88": "Pharmacy",
    "93": "Podiatry",
    "98": "Office visit",
    A4: "Psychiatric care",
    A6: "Psychotherapy",
    A9: "Rehabilitation",
    AD: "Occupational therapy",
    AE: "Physical therapy",
    AF: "Speech therapy",
    AG: "Skilled nursing",
    AI: "Substance use treatment",
    AL: "Vision care",
    BG: "Cardiac rehabilitation",
    PT: "Physical therapy",
    MH: "Mental health",
    UC: "Urgent care",
  },
  // The specialties our practices name most, in plain words; the code set is NUCC's.
  specialty: {
    "207RC0000X": "Cardiology",
    "207RI0011X": "Interventional cardiology",
    "207RC0001X": "Heart rhythm",
    "207R00000X": "Internal medicine",
    "207Q00000X": "Family medicine",
    "207X00000X": "Orthopedic surgery",
    "207XS0117X": "Spine surgery",
    "207XX0005X": "Sports medicine surgery",
    "207T00000X": "Neurosurgery",
    "2084N0400X": "Neurology",
    "208VP0014X": "Interventional pain medicine",
    "208VP0000X": "Pain medicine",
    "207LP2900X": "Pain medicine (anesthesiology)",
    "208100000X": "Physical medicine and rehabilitation",
    "2081P2900X": "Pain medicine (rehabilitation)",
    "2085R0202X": "Diagnostic radiology",
    "207RP1001X": "Lung medicine",
    "207RS0012X": "Sleep medicine",
    "2084S0012X": "Sleep medicine (neurology)",
    "207RH0003X": "Hematology and oncology",
    "207RG0100X": "Gastroenterology",
    "208600000X": "General surgery",
    "208000000X": "Pediatrics",
    "225100000X": "Physical therapy",
    "225X00000X": "Occupational therapy",
    "235Z00000X": "Speech therapy",
    "363L00000X": "Nurse practitioner",
    "363A00000X": "Physician assistant",
    "261QR0200X": "Imaging center",
    "261QA1903X": "Ambulatory surgical center",
    "261QP2000X": "Physical therapy clinic",
    "282N00000X": "Hospital",
    "291U00000X": "Laboratory",
    "332B00000X": "Equipment supplier",
    "251E00000X": "Home health agency",
    "251G00000X": "Hospice",
    "314000000X": "Skilled nursing facility",
  },
  // CMS place of service codes.
  place: {
    "01": "Pharmacy",
    "02": "Telehealth, not at home",
    "03": "School",
    "04": "Homeless shelter",
    "10": "Telehealth, at home",
    "11": "Office",
    "12": "Home",
    "13": "Assisted living facility",
    "14": "Group home",
    "15": "Mobile unit",
    "17": "Walk-in retail clinic",
    "19": "Off-campus outpatient hospital",
    "20": "Urgent care",
    "21": "Inpatient hospital",
    "22": "On-campus outpatient hospital",
    "23": "Emergency room",
    "24": "Ambulatory surgical center",
    "25": "Birthing center",
    "26": "Military treatment facility",
    "31": "Skilled nursing facility",
    "32": "Nursing facility",
    "33": "Custodial care facility",
    "34": "Hospice",
    "41": "Ambulance, land",
    "42": "Ambulance, air or water",
    "49": "Independent clinic",
    "50": "Federally qualified health center",
    "51": "Inpatient psychiatric facility",
    "52": "Psychiatric facility, partial hospitalization",
    "53": "Community mental health center",
    "55": "Residential substance abuse treatment facility",
    "56": "Psychiatric residential treatment center",
    "57": "Non-residential substance abuse treatment facility",
    "60": "Mass immunization center",
    "61": "Inpatient rehabilitation facility",
    "62": "Outpatient rehabilitation facility",
    "65": "End-stage renal disease facility",
    "71": "Public health clinic",
    "72": "Rural health clinic",
    "81": "Independent laboratory",
    "99": "Other",
  },
} as const;

/** Review action codes of X12 306. The labels are ours. */
export const reviewActions = {
  A1: "certified in total",
  A2: "certified in part",
  A3: "not certified",
  A4: "pended",
  A6: "certified with changes",
  C: "canceled",
  CT: "contact the payer",
  NA: "no certification required",
} as const satisfies Record<ReviewAction, string>;

const outcomes: Readonly<Record<Outcome, string>> = {
  approved: "Approved",
  modified: "Approved with changes",
  "partially-approved": "Partially approved",
  denied: "Denied",
  "not-required": "No authorization required",
};

/** What a determination comes to. */
export const outcomeText = (outcome: Outcome): string => outcomes[outcome];
