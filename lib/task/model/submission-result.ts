/** The outcome of a submission. */
export type SubmissionResult = "received" | "refused" | "not-received" | "unconfirmed";
