/** What became of an action that left for the payer. */
export type SubmissionResult = "received" | "refused" | "not-received" | "unconfirmed";
