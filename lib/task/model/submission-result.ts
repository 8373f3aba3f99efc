/** The outcome of a submission. */
export const submissionResults = ["received", "refused", "not-received", "unconfirmed"] as const;
export type SubmissionResult = (typeof submissionResults)[number];
