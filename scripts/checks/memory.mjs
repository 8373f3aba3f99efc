import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../processes/processes.mjs";

const shared = "/dev/shm";
const tmpfs = 0x01021994;
/** Several times what a run of all tests has there at once. */
const roomMin = 6 * 2 ** 30;
const prefix = "prior-authorization-run-";

/** A folder whose files are in memory, where this machine has one and gigabytes to spare; no file of it outlives a restart. */
export function roomInMemory() {
  const { type, bavail, bsize } = statfsOf(shared) ?? {};
  return type === tmpfs && Math.min(bavail * bsize, process.availableMemory()) >= roomMin ? shared : undefined;
}

/**
 * A folder in memory for what a run's tests write, where there is room: of the seconds they take, a disk's are many.
 * What an earlier run left there that was killed, goes.
 */
export function openScratch(memory = roomInMemory()) {
  if (memory === undefined) return { folder: undefined, close: () => {} };
  for (const name of readdirSync(memory).filter(isLeft)) remove(join(memory, name));
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // A test runs a server as another user, who has to get through to its files.
  chmodSync(folder, 0o711);
  return { folder, close: () => remove(folder) };
}

const isLeft = (name) => name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10));

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's, who ran the tests here too.
  }
}

function statfsOf(folder) {
  try {
    return statfsSync(folder);
  } catch {
    return undefined;
  }
}
