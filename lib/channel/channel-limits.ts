import { z } from "zod";

/** Calls a second of a new channel, unless set. */
export const callsPerSecondDefault = 50;
export const callsPerSecondMax = 10_000;
export const callsAtOnceMax = 1_000;

/** `none` or an empty text is no limit, which is null. */
function limitTo(most: number) {
  const problem = `must be a whole number from 1 to ${most}, or none`;
  const number = z.coerce.number(problem).int(problem).min(1, problem).max(most, problem);
  return z.preprocess((given) => (given === "" || given === "none" ? null : given), number.nullable());
}

export const callsPerSecondNumber = limitTo(callsPerSecondMax);
export const callsAtOnceNumber = limitTo(callsAtOnceMax);
