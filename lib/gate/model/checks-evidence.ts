import { daysBetween, type Rule } from "./check.ts";

/** Payers ask for clinical notes from the last three months. */
const noteDaysMax = 90;

/** Rules about the supporting evidence. */
export const evidenceRules: readonly Rule[] = [
  {
    type: "old-note",
    find: ({ review, today }) =>
      (review.providerNotes ?? []).flatMap(({ date }, index) =>
        date !== undefined && daysBetween(date, today) > noteDaysMax
          ? [{ paths: [`/providerNotes/${index}`], values: [date] }]
          : [],
      ),
  },
  { type: "no-attachment", find: ({ files }) => (files.count === 0 ? [{}] : []) },
  { type: "files-left", find: ({ files }) => (files.left ? [{}] : []) },
];
