/** Longest plain body of a call to an endpoint, in bytes. */
export const bodyBytesMax = 1_048_576;

/** How long a plain body may take to arrive whole, from when reading it begins. */
export const bodyMs = 10_000;
