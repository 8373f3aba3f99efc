import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second. */
const tickMs = 10;

/**
 * Milliseconds of CPU a process has taken so far, with all that it started;
 * undefined where the system does not tell. Unlike a rate it changes little
 * when other programs keep the machine busy.
 */
export function cpuMsOf(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const family = new Set([pid]);
  // A child's pid may be lower than its parent's once the numbers have wrapped, hence until nothing is added.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid: child, parent } of all) if (family.has(parent)) family.add(child);
  }
  return all.reduce((sum, { pid: one, ms }) => (family.has(one) ? sum + ms : sum), 0);
}

function readStat(name: string): { pid: number; parent: number; ms: number }[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    // The program's name, in brackets, may hold spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // Its own time in user and system mode, and that of its children which have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(name), parent: Number(fields[1]), ms: ticks * tickMs }];
  } catch {
    return [];
  }
}
