import { isIntact, type Link } from "./link.ts";
import { trackPurges } from "./purges.ts";

/** What is wrong with an entry, or with the entries from it on. */
export type ChainProblem =
  /** Its content, hashes or link were changed, or the service did not write it. */
  | "edited"
  /** There is no entry with this number. */
  | "missing"
  /** The entry belongs to another place. */
  | "reordered"
  /** Its content was removed, though no retention rule removed it. */
  | "emptied"
  /** The chain is consistent, but differs from a signed head: the entries up to it were rewritten with their hashes. */
  | "rewritten"
  /** A signed head names an entry after the last one. */
  | "cut";

/** The first bad entry. */
export type ChainFault = {
  readonly seq: number;
  readonly problem: ChainProblem;
  /** The last entry that may be affected, where a signed head shows it. */
  readonly through?: number | undefined;
};

/** A place in a chain, and the hash of its entry. */
export type Place = { readonly seq: number; readonly hash: string };

/** What a head says: the last entry of a chain and, where a key signed it, when. */
export type KnownHead = Place & { readonly at?: string | undefined };

type CheckOptions = {
  /** An entry that was verified before; the check begins after it. */
  readonly from?: Place | undefined;
  readonly heads?: readonly KnownHead[] | undefined;
  /** The present time, in milliseconds. A purge that says it is later was not yet allowed. */
  readonly asOf: number;
};

export type ChainCheck = {
  /**
   * Checks the next entry, in the order of their numbers. False once the chain is broken; later entries are not
   * checked.
   */
  readonly take: (link: Link) => boolean;
  /** The result, after the last entry. */
  readonly end: () => ChainResult;
};

export type ChainResult = {
  readonly last: Place;
  readonly entries: number;
  readonly purged: number;
  /** How many signed heads match the chain. */
  readonly heads: number;
  readonly broken: ChainFault | undefined;
  /** The previous hash that the broken entry names, where it is not that of the entry before it. */
  readonly claims: string | undefined;
};

const beginning: Place = { seq: 0, hash: "" };

/**
 * Checks the entries of one chain one by one: they are numbered without a gap, each is intact and follows the one
 * before it, an empty one was old enough when it was purged, and the chain goes through every signed head. It keeps no
 * entries, so the length of the chain does not matter.
 */
export function checkChain(chain: string, { from = beginning, heads = [], asOf }: CheckOptions): ChainCheck {
  const awaited = [...heads].sort((a, b) => a.seq - b.seq).filter(({ seq }) => seq > from.seq);
  let last = from;
  let entries = 0;
  const purges = trackPurges(asOf);
  let lastHead = from.seq;
  let met = 0;
  let broken: ChainFault | undefined;
  let claims: string | undefined;
  const take = (link: Link): boolean => {
    broken = problemOf(chain, link, last);
    if (broken) {
      claims = link.prevHash === last.hash ? undefined : link.prevHash;
      return false;
    }
    if (!purges.take(link, awaited[met - 1]?.at)) {
      broken = { seq: link.seq, problem: "emptied" };
      return false;
    }
    while (awaited[met] && (awaited[met]?.seq ?? 0) <= link.seq) {
      if (awaited[met]?.hash !== link.hash) {
        broken = { seq: lastHead + 1, problem: "rewritten", through: link.seq };
        return false;
      }
      lastHead = link.seq;
      met += 1;
    }
    entries += 1;
    last = { seq: link.seq, hash: link.hash };
    return true;
  };
  const end = (): ChainResult => {
    const head = awaited[met];
    const emptied = purges.notCovered();
    if (!broken && emptied) broken = { seq: emptied.first, problem: "emptied", through: emptied.last };
    if (!broken && head) broken = { seq: last.seq + 1, problem: "cut", through: awaited.at(-1)?.seq };
    return { last, entries, purged: purges.count(), heads: met, broken, claims };
  };
  return { take, end };
}

function problemOf(chain: string, link: Link, last: Place): ChainFault | undefined {
  if (link.seq !== last.seq + 1) return { seq: last.seq + 1, problem: "missing" };
  const intact = isIntact(chain, link);
  if (link.prevHash === last.hash) return intact ? undefined : { seq: link.seq, problem: "edited" };
  // An intact entry was written after another entry than the one that is before it now.
  return { seq: intact && last.seq > 0 ? last.seq : link.seq, problem: "edited" };
}
