/** The most a form may carry, as next.config.mjs has it. */
export const formBytesMax = 9 * 1024 * 1024;
