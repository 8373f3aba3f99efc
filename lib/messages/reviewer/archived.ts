/** In place of a document of a closed case that the archive did not give. */
export const archivedTexts = {
  away: "This document is archived and can't be read right now: the archive can't be reached. Nothing is lost: try again soon.",
  lost: "This document is archived, and the archive has lost or changed it. Contact the people who run this service.",
} as const;

/** In place of a part of a closed case's page. */
export const archivedPartTexts = {
  away: "This part of the case is archived and can't be read right now: the archive can't be reached. Nothing is lost.",
  lost: "Some of this part of the case is archived, and the archive has lost or changed it. Contact the people who run this service.",
} as const;

/** Names of these parts, as a list on the case's page has them. */
export const archivedPartNames = {
  notes: "the agent's notes",
  calls: "the exact bytes",
  records: "what reviewers recorded",
} as const;

/** Above a closed case's page that lacks parts. */
export const archivedCaseText = (parts: string) => `Parts of this case are archived and can't be read now: ${parts}.`;
