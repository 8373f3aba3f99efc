import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long one reading took, and whether the host gave the machine's processors to others meanwhile. */
export type Reading = { readonly ms: number; readonly disturbed: boolean };

/** The readings of a line, in milliseconds. */
export type Readings = {
  readonly ms: readonly number[];
  /** So many of them were disturbed by the host, which left no more calm than for the others. */
  readonly disturbed: number;
  /** All that were disturbed, whether they count or others were taken instead. */
  readonly disturbedMs: readonly number[];
};

type Plan = { readonly warm: number; readonly times: number; readonly most: number };

/** After a disturbed reading, since what disturbs one often goes on for a while. */
const restMs = 800;

/**
 * Takes so many readings the host did not disturb, after a few that only warm the server. Where that takes more than
 * `most`, disturbed ones make up the number. One that could not be taken is undefined and counts for nothing.
 */
export async function undisturbed(
  { warm, times, most }: Plan,
  take: (n: number) => Promise<Reading | undefined>,
): Promise<Readings> {
  const calm: number[] = [];
  const disturbed: number[] = [];
  let toWarm = warm;
  for (let n = 0; n < most && calm.length < times; n += 1) {
    const reading = await take(n);
    if (!reading) continue;
    toWarm -= 1;
    if (toWarm >= 0) continue;
    (reading.disturbed ? disturbed : calm).push(reading.ms);
    if (reading.disturbed) await sleep(restMs);
  }
  const missing = Math.min(times - calm.length, disturbed.length);
  return {
    ms: [...calm, ...disturbed.slice(0, missing)],
    disturbed: missing,
    disturbedMs: disturbed,
  };
}

const counts = "/proc/stat";

/**
 * Watches from now on whether the host of this virtual machine gave its processors to others, for a hundredth of a
 * second or more, as proc_stat(5) counts it. Where the system does not say, it never did.
 */
export function watchHost(): () => boolean {
  const before = stolen();
  return () => stolen() > before;
}

function stolen(): number {
  if (!existsSync(counts)) return 0;
  const [, ...all] = readFileSync(counts, "utf8").split("\n", 1)[0]?.trim().split(/\s+/) ?? [];
  return Number(all[7] ?? 0);
}
