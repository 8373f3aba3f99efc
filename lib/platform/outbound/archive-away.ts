/** What the error boundary of a page is told where the archive gave no answer, and nothing more. */
export const archiveAwayDigest = "archive-away";

/** The same where the archive has no such object, or another one under its name. */
export const archiveLostDigest = "archive-lost";

/** The archive is away for now, or it lost what is asked for. */
export type ArchiveFailure = "away" | "lost";

/** Whether it was the archive that failed. */
export function archiveFailureOf(error: unknown): ArchiveFailure | undefined {
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  if (digest === archiveAwayDigest) return "away";
  return digest === archiveLostDigest ? "lost" : undefined;
}
