import { statfsSync } from "node:fs";

const shared = "/dev/shm";
const tmpfs = 0x01021994;
/** Several times what a run of all tests has there at once. */
const roomMin = 6 * 2 ** 30;

/** A folder whose files are in memory, where this machine has one and gigabytes to spare; no file of it outlives a restart. */
export function roomInMemory() {
  const { type, bavail, bsize } = statfsOf(shared) ?? {};
  return type === tmpfs && Math.min(bavail * bsize, process.availableMemory()) >= roomMin ? shared : undefined;
}

function statfsOf(folder) {
  try {
    return statfsSync(folder);
  } catch {
    return undefined;
  }
}
