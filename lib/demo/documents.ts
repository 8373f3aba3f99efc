import type { DemoCase, DocumentKind } from "./demo-case.ts";
import { textPdf } from "./text-pdf.ts";
import { providers } from "./places.ts";

export type DemoDocument = { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array };

/** A document of a demo case, dated some days before it was sent. */
export function documentOf(kind: DocumentKind, about: DemoCase, today: Date): DemoDocument {
  const [lastName, firstName, birthDate] = about.patient;
  const { lastName: byLast, firstName: byFirst } = providers[about.by];
  const head = [
    `Patient: ${firstName} ${lastName}    DOB: ${birthDate}    Member ID: ${about.memberId}`,
    `Provider: ${byFirst} ${byLast}    Date: ${dayBefore(today, 4)}`,
    "",
  ];
  const written = documents[kind](about);
  if (written.name.endsWith(".txt")) {
    return { name: written.name, mimeType: "text/plain", bytes: Buffer.from([...head, ...written.lines].join("\n")) };
  }
  const bytes = textPdf({ title: written.title, text: [...head, ...written.lines].join("\n") });
  return { name: written.name, mimeType: "application/pdf", bytes };
}

type DocumentText = { readonly name: string; readonly title: string; readonly lines: readonly string[] };

const documents: Readonly<Record<DocumentKind, (about: DemoCase) => DocumentText>> = {
  visit: ({ reason }) => ({
    name: "Visit note.pdf",
    title: "Visit note",
    lines: ["HISTORY", reason, "", ...examination, "", "ASSESSMENT AND PLAN", ...plan, ...longHistory],
  }),
  imaging: () => ({
    name: "Imaging report.pdf",
    title: "Imaging report",
    lines: [
      "TECHNIQUE",
      "Sagittal and axial sequences without contrast.",
      "",
      "FINDINGS",
      "Alignment is preserved. There is degenerative change at the level in question with narrowing on the side of the symptoms.",
      "No fracture and no mass. The remaining structures are unremarkable for age.",
      "",
      "IMPRESSION",
      "Findings agree with the clinical question. Correlation with the examination is advised.",
    ],
  }),
  therapy: () => ({
    name: "Therapy discharge summary.pdf",
    title: "Therapy discharge summary",
    lines: [
      "COURSE",
      "Eight visits over six weeks: strengthening, mobility and a home program, attended as planned.",
      "",
      "OUTCOME",
      "Pain 7 of 10 at the start and 6 of 10 at the end. Function did not improve enough to go back to usual activities.",
      "Discharged to the referring provider, since no further gain from therapy alone is expected.",
    ],
  }),
  order: ({ ask }) => ({
    name: "Signed order.pdf",
    title: "Order",
    lines: [
      "ORDERED",
      `Service: ${ask.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
      "Signed electronically.",
    ],
  }),
  medications: () => ({
    name: "Medication list.txt",
    title: "Medication list",
    lines: [
      "Naproxen 500 mg twice a day, six weeks, stopped: no lasting relief",
      "Gabapentin 300 mg at night, ongoing",
    ],
  }),
};

const examination = [
  "EXAMINATION",
  "Gait guarded. Strength reduced in the affected segment, reflexes as documented before, sensation intact elsewhere.",
];

const plan = [
  "Conservative treatment was tried and documented. The requested service is the next step.",
  "Risks, benefits and alternatives were discussed, and the patient agrees.",
];

/** So that a note has more than one page, as notes do. */
const longHistory = [
  "",
  "EARLIER VISITS",
  ...Array.from(
    { length: 14 },
    (_, visit) =>
      `Visit ${14 - visit}: symptoms as described, treatment continued, home exercises reviewed. Function rated by the patient, and the plan agreed with the family where they were there. Next appointment made.`,
  ),
];

function dayBefore(today: Date, days: number): string {
  return new Date(today.getTime() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
