/** In seconds, how long after each failed try the next one comes: the schedule of Standard Webhooks. */
const pausesS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/**
 * How long to wait after so many failed tries; undefined when there was the last one. A longer time that the receiver
 * asked for is respected.
 */
export function pauseAfter(tries: number, statedS = 0): number | undefined {
  const pause = pausesS[tries - 1];
  return pause === undefined ? undefined : Math.max(pause, statedS);
}
