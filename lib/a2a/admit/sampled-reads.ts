import { env } from "#lib/platform/env";

let reads = 0;

/** Whether this successful read is one of those that are logged: one of every `LOG_READS_ONE_IN`. All others are counted. */
export function isSampled(): boolean {
  reads = (reads + 1) % env().LOG_READS_ONE_IN;
  return reads === 0;
}
