import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const held = new Set();

/**
 * Locks held by the kernel through SQLite's file locks: they end with the process however it ends, so none is ever
 * stale. "exclusive" has one holder; "shared" has any number, and shuts out "exclusive".
 * Resolves to a release function, or to undefined when the lock was not to be had in time.
 */
export async function lock(path, mode, { waitMs = 0 } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const until = performance.now() + waitMs;
  for (;;) {
    const release = tryLock(path, mode);
    if (release !== undefined || performance.now() >= until) return release;
    await sleep(50);
  }
}

function tryLock(path, mode) {
  const database = new DatabaseSync(path);
  try {
    database.exec(mode === "exclusive" ? "BEGIN EXCLUSIVE" : "BEGIN; SELECT count(*) FROM sqlite_master");
    // Kept here, because a collected database would be closed and its lock lost.
    held.add(database);
    return () => held.delete(database) && database.close();
  } catch (error) {
    database.close();
    if (error.errcode === 5) return undefined;
    throw error;
  }
}
