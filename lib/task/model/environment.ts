export const environments = ["live", "test"] as const;

/** Whether a case goes to a payer's real system or to one for tests. */
export type Environment = (typeof environments)[number];
