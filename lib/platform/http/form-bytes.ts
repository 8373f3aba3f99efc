/** The most a form may carry, as next.config.mjs has it. */
export const formBytesMax = 9 * 1024 * 1024;

/** The most one may carry that nobody who is signed in has sent; only files make a form longer. */
export const strangersFormBytesMax = 1024 * 1024;

/** A form that is refused is read up to here, because a browser shows no answer while it still sends. */
export const drainedBytesMax = 64 * 1024 * 1024;
