/** The longest that one mail may take with the mail server, in milliseconds; a worker's claim on it lasts longer. */
export const mailLimitMs = 360_000;
