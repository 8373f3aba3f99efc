/** What the error boundary of a page is told where the archive gave no answer, and nothing more. */
export const archiveAwayDigest = "archive-away";
