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
  type ChainState,
} from "#lib/audit/store/audit-state";
import type { Store } from "#lib/db/db";
import { now } from "#lib/platform/now";
import { forPractices } from "#lib/db/for-practices";

/** How often a chain is verified from its first entry; in between, only the entries since the last round. */
const wholeEveryMs = 24 * 3_600_000;

/** A round begins no further whole chain after this long, so that the next heads are not kept waiting. */
const wholeRoundMs = 60_000;

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
 * of every chain that grew. A broken chain gets no head, so a signed chain was intact when it was signed. After that it
 * verifies the chains from their first entry of which that is longest ago, each once a day, whichever worker did it last.
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
  const sign = async (good: readonly ChainHead[], signal: AbortSignal) => {
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
  return async (signal) => {
    for (const guard of await findBadGuards(store)) log.error(guard, "the audit log is not guarded");
    await purgeAll(store, signal);
    await sign(await verifyNew({ store, log, logsEntries, signal }), signal);
    await verifyDue({ store, log, logsEntries, signal });
  };
}

type Round = Pick<Settings, "store" | "log" | "logsEntries"> & { readonly signal: AbortSignal };

/** Verifies what each chain has since it was last verified. The last entry of each that was found intact. */
async function verifyNew({ signal, ...round }: Round): Promise<readonly ChainHead[]> {
  const good: ChainHead[] = [];
  for (const { head, state } of await chainsWithState(round.store)) {
    if (signal.aborted) return [];
    const isKnown = state?.verified.seq === head.seq && state.verified.hash === head.hash && !state.broken;
    const intact = isKnown ? head : await verifyOne(round, { chain: head.chain, state, isWhole: false });
    if (intact) good.push(intact);
  }
  return good;
}

/** Verifies the chains that are due from their first entry, the longest due first. */
async function verifyDue({ signal, ...round }: Round): Promise<void> {
  const began = Date.now();
  const atOf = ({ state }: ChainWithState) => state?.wholeAt?.getTime() ?? 0;
  const due = (await chainsWithState(round.store)).filter((one) => began - atOf(one) >= wholeEveryMs);
  for (const { head, state } of due.toSorted((one, other) => atOf(one) - atOf(other))) {
    if (signal.aborted || Date.now() - began >= wholeRoundMs) return;
    await verifyOne(round, { chain: head.chain, state, isWhole: true });
  }
}

type ChainWithState = { readonly head: ChainHead; readonly state: ChainState | undefined };

async function chainsWithState(store: Store): Promise<readonly ChainWithState[]> {
  const heads = await readChainHeads(store);
  const states = await readChainStates(
    store,
    heads.map(({ chain }) => chain),
  );
  const byChain = new Map(states.map((state) => [state.chain, state]));
  return heads.map((head) => ({ head, state: byChain.get(head.chain) }));
}

type OneChain = { readonly chain: string; readonly state: ChainState | undefined; readonly isWhole: boolean };

/** Verifies one chain, from its first entry or from where it was verified. Its last entry, if it is intact. */
async function verifyOne(
  { store, log, logsEntries }: Omit<Round, "signal">,
  { chain, state, isWhole }: OneChain,
): Promise<ChainHead | undefined> {
  const verified = state?.verified;
  const from = isWhole ? undefined : verified;
  const heads = isWhole && verified ? [{ seq: verified.seq, hash: verified.hash }] : [];
  const onGood = logsEntries ? entryLog(log, { chain, after: verified?.seq ?? 0 }) : undefined;
  const { last, broken } = await verifyChain(forPractices(store, [chain]), { chain, from, heads, onGood });
  await recordVerified(store, { chain, last, broken, isWhole: (from?.seq ?? 0) === 0 });
  if (!broken) return { chain, ...last };
  log.error({ chain, ...broken }, "the audit log was tampered with");
  return undefined;
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
