import { fetchClientKeys, type FetchedKeys } from "#lib/channel/fetch-client-keys";

/** The public keys of clients that publish them at an address. */
export type KeySets = {
  /**
   * The keys at an address. Where `kid` is not among the cached ones, they are fetched again, at most once a minute.
   */
  readonly keysAt: (url: string, kid: string | undefined) => Promise<readonly object[]>;
};

/** The shortest time until an address is requested again after a failure or for an unknown key. */
const retryMs = 60_000;
const urlsMax = 1_000;

type CachedKeySet = {
  readonly keys: readonly { readonly kid: string }[];
  readonly until: number;
  readonly fetchedAt: number;
};

/**
 * Caches key sets by address, in memory, for as long as their response allows, so that a key removed there is accepted
 * for an hour at most. Concurrent callers share one request.
 */
export function createKeySets({
  now = Date.now,
  fetchKeys = fetchClientKeys,
}: {
  readonly now?: () => number;
  readonly fetchKeys?: (url: string) => Promise<FetchedKeys>;
} = {}): KeySets {
  const kept = new Map<string, CachedKeySet>();
  const underway = new Map<string, Promise<CachedKeySet>>();

  const fetchOne = async (url: string): Promise<CachedKeySet> => {
    const fetched = await fetchKeys(url);
    const fetchedAt = now();
    const before = kept.get(url);
    const stillGood = before && before.until > fetchedAt ? before : { keys: [], until: fetchedAt + retryMs };
    const found = fetched.ok ? { keys: fetched.keys.keys, until: fetchedAt + fetched.keptMs } : stillGood;
    if (kept.size >= urlsMax) kept.clear();
    kept.set(url, { ...found, fetchedAt });
    return { ...found, fetchedAt };
  };

  const fetchShared = (url: string): Promise<CachedKeySet> => {
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
      if (known.keys.some((key) => key.kid === kid) || now() - known.fetchedAt < retryMs) return known.keys;
      return (await fetchShared(url)).keys;
    },
  };
}
