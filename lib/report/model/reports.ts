/** The reports, in the order of their tabs. */
export const reportIds = [
  "overview",
  "reviews",
  "reasons",
  "reviewers",
  "payers",
  "denials",
  "submissions",
  "measures",
] as const;

export type ReportId = (typeof reportIds)[number];

export function isReportId(text: string): text is ReportId {
  return reportIds.some((known) => known === text);
}
