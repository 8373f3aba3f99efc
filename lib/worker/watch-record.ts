import type { Logger } from "pino";
import { writeHeadFile } from "#lib/audit/head-files";
import { signHead } from "#lib/audit/heads";
import type { SigningKey } from "#lib/platform/signing-keys";
import type { Link } from "#lib/audit/model/link";
import { readChainHeads, verifyChain, type ChainHead } from "#lib/audit/store/audit-chain";
import { findBadGuards } from "#lib/audit/store/audit-guards";
import {
  purgeChain,
  readChainStates,
  readRetention,
  recordExported,
  recordVerified,
} from "#lib/audit/store/audit-state";
import type { Store } from "#lib/db/db";
import { now } from "#lib/platform/now";

/** Chains are gone through from their first entry once in this time; in between, from where the last round came to. */
const wholeEveryMs = 24 * 3_600_000;

/** Emptied in one transaction, which keeps the chain locked. */
const purgeMax = 2_000;

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  /** Each entry is logged once it was verified: where the log goes elsewhere, the record does too. */
  readonly tellsEntries?: boolean | undefined;
  /** Whether a chain lacks an entry that was seen: a head would sign over what is missing. */
  readonly isStopped?: ((chain: string) => boolean) | undefined;
  /** Where signed heads go, and what signs them; without it, none are written. */
  readonly heads?: { readonly folder: string; readonly signer: SigningKey } | undefined;
};

/**
 * One round at a time: empties what the policy of retention no longer keeps, verifies what was written since the last
 * round, and writes a signed head of every chain that went on. A chain that is broken gets no head: what is signed was
 * whole when it was signed.
 */
export function recordRounds({
  store,
  log,
  tellsEntries,
  isStopped = () => false,
  heads,
}: Settings): (signal: AbortSignal) => Promise<void> {
  // Kept here and not in the database, whose owner could say that heads were written which were not.
  const written = new Map<string, number>();
  let wholeAt = Date.now();
  return async (signal) => {
    const isWhole = Date.now() - wholeAt >= wholeEveryMs;
    if (isWhole) wholeAt = Date.now();
    for (const guard of await findBadGuards(store)) log.error(guard, "the audit record is not guarded");
    await purgeAll(store, signal);
    const good = await verifyAll({ store, log, tellsEntries, isWhole, signal });
    const due = good.filter(({ chain, seq }) => seq > (written.get(chain) ?? 0) && !isStopped(chain));
    if (!heads || due.length === 0 || signal.aborted) return;
    const at = now();
    const { signer, folder } = heads;
    const signed = due.map((head) => ({ ...head, line: signHead(signer, { ...head, at }) }));
    await writeHeadFile(
      folder,
      signed.map(({ line }) => line),
      at,
    );
    for (const { chain, seq } of due) written.set(chain, seq);
    await recordExported(store, { heads: signed, at });
  };
}

type Round = Pick<Settings, "store" | "log" | "tellsEntries"> & {
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
};

/** The last entry of each chain that was found whole. */
async function verifyAll({ store, log, tellsEntries, isWhole, signal }: Round): Promise<readonly ChainHead[]> {
  const chains = await readChainHeads(store);
  const states = await readChainStates(
    store,
    chains.map(({ chain }) => chain),
  );
  const good: ChainHead[] = [];
  for (const { chain, seq, hash } of chains) {
    if (signal.aborted) return [];
    const state = states.find((known) => known.chain === chain);
    const { verified } = state ?? { verified: undefined };
    const isKnown = verified?.seq === seq && verified.hash === hash && !state?.broken;
    if (isKnown && !isWhole) {
      good.push({ chain, seq, hash });
      continue;
    }
    const from = isWhole ? undefined : verified;
    const heads = isWhole && verified ? [verified] : [];
    const onGood = tellsEntries ? entryLog(log, { chain, after: verified?.seq ?? 0 }) : undefined;
    const { last, broken } = await verifyChain(store, { chain, from, heads, onGood });
    await recordVerified(store, { chain, last, broken });
    if (broken) log.error({ chain, ...broken }, "the audit record was tampered with");
    else good.push({ chain, ...last });
  }
  return good;
}

/** Says each entry after this one: ids, states and numbers, as the record has them, and its hash. */
function entryLog(log: Logger, { chain, after }: { chain: string; after: number }): (link: Link) => void {
  return ({ seq, at, actor, act, taskId, detail, hash }) => {
    if (seq > after) log.info({ chain, seq, at, actor, act, taskId, detail, hash }, "an entry of the record");
  };
}

async function purgeAll(store: Store, signal: AbortSignal): Promise<void> {
  const policy = await readRetention(store);
  if (policy.size === 0) return;
  const named = policy.has("*") ? (await readChainHeads(store)).map(({ chain }) => chain) : [...policy.keys()];
  for (const chain of named) {
    while (!signal.aborted && (await purgeChain(store, { chain, limit: purgeMax })) === purgeMax);
  }
}
