import { fetchClientKeys, type FetchedKeys } from "#lib/channel/fetch-client-keys";

/** The public keys of clients that publish them at an address. */
export type KeySets = {
  /** The keys there; where `kid` is none of those that are kept, they are fetched anew, once a minute at most. */
  readonly keysAt: (url: string, kid: string | undefined) => Promise<readonly object[]>;
};

/** After a failure, and for a key nobody knows, an address is asked no sooner than this. */
const againMs = 60_000;
const urlsMax = 1_000;

type Kept = { readonly keys: readonly { readonly kid: string }[]; readonly until: number; readonly fetchedAt: number };

/**
 * Sets by address, in memory only: kept as long as their own answer said, and
 * no longer, so that a key that was taken away there is known for an hour at
 * most. However many ask at once, an address is asked once.
 */
export function createKeySets({
  now = Date.now,
  fetchKeys = fetchClientKeys,
}: {
  readonly now?: () => number;
  readonly fetchKeys?: (url: string) => Promise<FetchedKeys>;
} = {}): KeySets {
  const kept = new Map<string, Kept>();
  const underway = new Map<string, Promise<Kept>>();

  const fetchOne = async (url: string): Promise<Kept> => {
    const fetched = await fetchKeys(url);
    const fetchedAt = now();
    const before = kept.get(url);
    const stillGood = before && before.until > fetchedAt ? before : { keys: [], until: fetchedAt + againMs };
    const found = fetched.ok ? { keys: fetched.keys.keys, until: fetchedAt + fetched.keptMs } : stillGood;
    if (kept.size >= urlsMax) kept.clear();
    kept.set(url, { ...found, fetchedAt });
    return { ...found, fetchedAt };
  };

  const fetchShared = (url: string): Promise<Kept> => {
    const begun = underway.get(url);
    if (begun) return begun;
    const fetching = fetchOne(url).finally(() => underway.delete(url));
    underway.set(url, fetching);
    return fetching;
  };

  return {
    keysAt: async (url, kid) => {
      const known = kept.get(url);
      if (!known || known.until <= now()) return (await fetchShared(url)).keys;
      if (known.keys.some((key) => key.kid === kid) || now() - known.fetchedAt < againMs) return known.keys;
      return (await fetchShared(url)).keys;
    },
  };
}
