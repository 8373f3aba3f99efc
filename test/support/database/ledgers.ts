import { readStarts, type StartEntry } from "#lib/submission/ledger/ledger-files";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { openGuard, type Guard } from "#lib/submission/ledger/guard";
import { type Store, unscoped } from "#lib/db/db";

/** For tests of what a worker does with a database that was never another. */
export const unguarded: Guard = {
  isKnown: () => true,
  isStopped: () => false,
  hasStops: () => false,
  compared: () => undefined,
  check: async () => undefined,
  fence: async () => ({ isTrusted: true, heldBefore: new Date(0) }),
  noteStart: async () => true,
  close: async () => undefined,
};

/** A folder with the ledger of a database as it is now, for workers that run as processes. */
export async function aLedger(store: Store): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger");
  const guard = await openGuard({ store: unscoped(store), log: pino({ level: "silent" }), folder, adopt: true });
  await guard.check();
  await guard.close();
  return folder;
}

/** The submissions that a ledger notes, all at once. */
export async function startsIn(folder: string): Promise<readonly StartEntry[]> {
  const entries: StartEntry[] = [];
  for await (const entry of readStarts(folder)) entries.push(entry);
  return entries;
}
