/** In place of a document of a closed case that the archive did not give. */
export const archivedTexts = {
  away: "This document is archived and can't be read right now: the archive is not at hand. Nothing is lost: try again soon.",
  lost: "This document is archived, and the archive doesn't have it as it was put there. Tell whoever runs this service.",
} as const;
