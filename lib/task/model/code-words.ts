/** What a code means, in our own words, followed by the code; the code alone if we have no words for it. */
export function codeText(kind: keyof typeof words, code: string): string {
  const known: Readonly<Record<string, string>> = words[kind];
  const text = Object.hasOwn(known, code) ? known[code] : undefined;
  return text === undefined ? code : `${text} (${code})`;
}

/** A quantity unit (X12 673) as a plain word for so many of it; the code where we have no word, "units" without one. */
export function unitText(unit: string | undefined, quantity: number): string {
  const known: Readonly<Record<string, string>> = words.unit;
  const word = known[unit ?? "UN"] ?? unit ?? "";
  return word === unit || quantity === 1 ? word : `${word}s`;
}

const words = {
  level: { U: "Urgent", E: "Elective", "03": "Emergency" },
  request: { HS: "Health services", AR: "Admission", SC: "Specialty care", IN: "Individual" },
  certification: { I: "Initial", R: "Renewal", S: "Revised", "4": "Extension", "3": "Cancel" },
  gender: { F: "Female", M: "Male", U: "Unknown" },
  relationship: { "18": "Self", "01": "Spouse", "19": "Child", "20": "Employee", "53": "Life partner", G8: "Other" },
  unit: { UN: "unit", VS: "visit", DY: "day", MO: "month", HH: "hour" },
  admissionType: { "1": "Emergency", "2": "Urgent", "3": "Elective", "4": "Newborn", "5": "Trauma" },
  diagnosis: { ABK: "Principal", ABF: "Further", ABJ: "Admitting" },
  // CMS place of service codes.
  place: {
    "02": "Telehealth, not at home",
    "10": "Telehealth, at home",
    "11": "Office",
    "12": "Home",
    "19": "Off-campus outpatient hospital",
    "20": "Urgent care",
    "21": "Inpatient hospital",
    "22": "On-campus outpatient hospital",
    "23": "Emergency room",
    "24": "Ambulatory surgical center",
    "31": "Skilled nursing facility",
    "49": "Independent clinic",
    "81": "Independent laboratory",
  },
} as const;
