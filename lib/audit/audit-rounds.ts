import type { Logger } from "pino";
import { writeHeadFile } from "./head-files.ts";
import { signHead } from "./heads.ts";
import type { SigningKey } from "#lib/platform/signing-keys";
import type { Link } from "#lib/audit/model/link";
import { readChainHeads, type ChainHead } from "#lib/audit/shared/chain-heads";
import { verifyChain } from "#lib/audit/store/audit-chain";
import { findBadGuards } from "#lib/audit/shared/audit-guards";
import {
  purgeChain,
  readChainStates,
  readRetention,
  recordExported,
  recordVerified,
} from "#lib/audit/store/audit-state";
import type { Store } from "#lib/db/db";
import { now } from "#lib/platform/now";
import { forPractices } from "#lib/db/for-practices";

/** How often chains are verified from their first entry; in between, only the entries since the last round. */
const wholeEveryMs = 24 * 3_600_000;

/** Most entries emptied in one transaction, because it keeps the chain locked. */
const purgeMax = 2_000;

type Settings = {
  readonly store: Store;
  readonly log: Logger;
  /** Whether each entry is logged once it is verified, so that a log collector has a copy of the audit log. */
  readonly logsEntries?: boolean | undefined;
  /** Whether a chain lacks an entry that was seen before; no head is signed then, because it would hide the loss. */
  readonly isStopped?: ((chain: string) => boolean) | undefined;
  /** The folder for signed heads and the key that signs them; without it, none are written. */
  readonly heads?: { readonly folder: string; readonly signer: SigningKey } | undefined;
};

/**
 * Each round empties the entries past their retention, verifies the entries since the last round, and writes a signed head
 * of every chain that grew. A broken chain gets no head, so a signed chain was intact when it was signed.
 */
export function auditRounds({
  store,
  log,
  logsEntries,
  isStopped = () => false,
  heads,
}: Settings): (signal: AbortSignal) => Promise<void> {
  // In memory and not in the database, whose owner could claim heads that were never written.
  const written = new Map<string, number>();
  let wholeAt = Date.now();
  return async (signal) => {
    const isWhole = Date.now() - wholeAt >= wholeEveryMs;
    if (isWhole) wholeAt = Date.now();
    for (const guard of await findBadGuards(store)) log.error(guard, "the audit record is not guarded");
    await purgeAll(store, signal);
    const good = await verifyAll({ store, log, logsEntries, isWhole, signal });
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

type Round = Pick<Settings, "store" | "log" | "logsEntries"> & {
  readonly isWhole: boolean;
  readonly signal: AbortSignal;
};

/** The last entry of each chain that was found intact. */
async function verifyAll({ store, log, logsEntries, isWhole, signal }: Round): Promise<readonly ChainHead[]> {
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
    const onGood = logsEntries ? entryLog(log, { chain, after: verified?.seq ?? 0 }) : undefined;
    const { last, broken } = await verifyChain(forPractices(store, [chain]), { chain, from, heads, onGood });
    await recordVerified(store, { chain, last, broken });
    if (broken) log.error({ chain, ...broken }, "the audit log was tampered with");
    else good.push({ chain, ...last });
  }
  return good;
}

/** Logs each entry after this one with its hash; entries hold ids, states and numbers. */
function entryLog(log: Logger, { chain, after }: { chain: string; after: number }): (link: Link) => void {
  return ({ seq, at, actor, act, taskId, detail, hash }) => {
    if (seq > after) log.info({ chain, seq, at, actor, act, taskId, detail, hash }, "audit entry");
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
