import { z } from "zod";
import { channelProblems } from "#lib/messages/problems/admin";

/** The default rate limit of a new channel, in calls a second. */
export const callsPerSecondDefault = 50;
export const callsPerSecondMax = 10_000;
export const callsAtOnceMax = 1_000;

/** `none` or an empty text means no limit and becomes null. */
function limitTo(most: number) {
  const problem = channelProblems.limitOrNone(most);
  const number = z.coerce.number(problem).int(problem).min(1, problem).max(most, problem);
  return z.preprocess((given) => (given === "" || given === "none" ? null : given), number.nullable());
}

export const callsPerSecondNumber = limitTo(callsPerSecondMax);
export const callsAtOnceNumber = limitTo(callsAtOnceMax);
