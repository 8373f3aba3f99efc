import type { SignedHead } from "#lib/audit/heads";
import { readChainHeads, type ChainHead } from "#lib/audit/shared/chain-heads";
import type { Store } from "#lib/db/db";
import { readDatabaseIdentity } from "#lib/db/fence";
import { readRecordStops } from "#lib/submission/shared/record-stops";
import { findLacking, knowLedger } from "#lib/submission/store/seen-places";
import {
  createLedger,
  openWriter,
  readLedger,
  readLedgerId,
  readStarts,
  type LedgerContent,
  type StartEntry,
} from "./ledger-files.ts";
import { placesOf } from "./guard.ts";

/** What a database lacks of what was seen of it. */
export type Loss = {
  /** The ledger is empty, so submissions since the database's state are unknown. */
  readonly isNewLedger: boolean;
  /** Each chain that lacks something: the furthest entry seen, and the last entry it has. */
  readonly chains: readonly { readonly chain: string; readonly seen: ChainHead; readonly there: number }[];
  /** Submissions that left and that the database does not know, the first attempt first. */
  readonly submissions: readonly StartEntry[];
};

type RecoveryContext = { readonly store: Store; readonly folder: string; readonly heads: readonly SignedHead[] };

/** Compares the database with the ledger and the signed heads. Changes nothing. */
export async function findLoss({ store, folder, heads }: RecoveryContext): Promise<Loss> {
  const isNewLedger = (await readLedgerId(folder)) === undefined;
  const content = isNewLedger
    ? { places: new Map(), database: undefined, recovered: new Map() }
    : await readLedger(folder);
  const lacking = await findLacking(store, placesOf(content, heads));
  // What another worker has seen, or this one before the backup was made.
  const stops = (await readRecordStops(store)).filter(({ chain }) => lacking.every((place) => place.chain !== chain));
  const there = new Map((await readChainHeads(store)).map(({ chain, seq }) => [chain, seq]));
  const chains = [...lacking, ...stops].map(({ chain, seq, hash }) => ({
    chain,
    seen: { chain, seq, hash },
    there: there.get(chain) ?? 0,
  }));
  const submissions = isNewLedger ? [] : await findUnknownStarts(store, folder, content);
  return { isNewLedger, chains, submissions };
}

/** How many submissions are held at once. */
const startsAtOnce = 2_000;

/** Those since their chain was last recovered. */
async function findUnknownStarts(
  store: Store,
  folder: string,
  { recovered }: LedgerContent,
): Promise<readonly StartEntry[]> {
  const unknown: StartEntry[] = [];
  let batch: StartEntry[] = [];
  for await (const start of readStarts(folder)) {
    if (start.at <= (recovered.get(start.chain) ?? 0)) continue;
    batch.push(start);
    if (batch.length < startsAtOnce) continue;
    unknown.push(...(await findLacking(store, batch)));
    batch = [];
  }
  return [...unknown, ...(await findLacking(store, batch))];
}

/**
 * Notes that a person recovered these chains: places seen before no longer count, and releases from before are held
 * again when their turn comes. Begins the ledger if there is none.
 */
export async function noteRecovered(
  { store, folder }: Pick<RecoveryContext, "store" | "folder">,
  chains: readonly string[],
): Promise<void> {
  await knowLedger(store, await createLedger(folder));
  const { identity, lsn, now } = await readDatabaseIdentity(store);
  const at = Date.now();
  const writer = await openWriter(folder, "recovered");
  await writer.write([
    ...chains.map((chain) => ({ kind: "recovered", at, chain }) as const),
    { kind: "database", at, identity, lsn: String(lsn), since: now.getTime() },
  ]);
  await writer.close();
}
