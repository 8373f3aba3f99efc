import { z } from "zod";
import { channelProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

/** How many days a new key is valid by default, and at most. */
export const keyDaysDefault = 90;
export const keyDaysMax = 365;

const days = channelProblems.keyDays(keyDaysMax);

export const keyDaysNumber = z.coerce.number(days).int(days).min(1, days).max(keyDaysMax, days).default(keyDaysDefault);

/** How long the current key stays valid after a rotation, in seconds. */
export const overlaps = { "0": 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;
export type Overlap = keyof typeof overlaps;

// Safe because these are the object's own keys.
const overlapChoices = Object.keys(overlaps) as [Overlap, ...Overlap[]];

export const overlapWord = z.enum(overlapChoices, problems.oneOf(overlapChoices)).default("24h");
