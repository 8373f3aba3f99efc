/** Longest body of one call, in bytes. */
export const bodyBytesMax = 1_048_576;

/** How long a body may take to arrive whole, from the first look at it. */
export const bodyMs = 10_000;

/** Deepest nesting of a request; its own object is level 1. */
export const nestingLevelsMax = 32;

/** Most issues one reply lists; what follows them is found once they are corrected. */
export const issuesMax = 32;

/** Most parts one message may hold. */
export const partsMax = 100;

/** Longest note to the reviewer, in UTF-16 code units. */
export const noteCharsMax = 20_000;

/** Longest `messageId`, in UTF-16 code units. */
export const messageIdCharsMax = 256;

/** Longest reason for a void, in UTF-16 code units. */
export const reasonCharsMax = 2_000;

/** Calls answered at once before others are turned away. */
export const callsInFlightMax = 512;
