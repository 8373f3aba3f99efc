import { lookup, type LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { codeOf } from "./code-of.ts";

/** Resolves a name to all of its addresses, until the signal aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Where names come from; those of the machine by default. */
type NameSources = {
  readonly hostsFile?: string | undefined;
  readonly resolverFile?: string | undefined;
  /** Name servers in place of the configured ones, as `setServers` takes them. */
  readonly servers?: readonly string[] | undefined;
  /** Asked for a name that no name server has, since only the system knows every other source of names. */
  readonly system?: Resolve | undefined;
};

/** How long the other kind of address is waited for once there is one to connect to. */
const otherKindMs = 500;

/** Each name server is asked this long and this often. */
const serverMs = 1_500;
const serverTries = 3;

/** Codes that tell that no name server has the name, or that there is none. Silence is no such code. */
const nowhere: readonly string[] = ["ENOTFOUND", "ENODATA", "ECONNREFUSED"];

/**
 * The addresses of a name: from the hosts file, else from the name servers, by the search list of the machine, else from
 * the system's own look-up. The name servers are asked over sockets, so any number of them that do not answer delays
 * nobody else: the system's look-up waits in a thread, and there are two for the whole process (libuv). It is left only for
 * names that no server has, one at a time.
 */
export function resolveBy({
  hostsFile = "/etc/hosts",
  resolverFile = "/etc/resolv.conf",
  servers,
  system = systemInTurn,
}: NameSources = {}): Resolve {
  return async (name, signal) => {
    const host = name.toLowerCase();
    const known = namesIn(await textOf(hostsFile), host.replace(/\.$/, ""));
    if (known.length > 0) return known;
    if (/^(?:.+\.)?localhost\.?$/.test(host)) return loopback;
    for (const each of namesToAsk(host, await textOf(resolverFile))) {
      const found = await queryServers(each, { servers, signal });
      if (found.length > 0) return found;
    }
    return system(host, signal);
  };
}

const systemInTurn = oneAtATime((host, signal) => systemLookup(host, signal));

/** RFC 6761, 6.3. */
const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** The file's text; empty where there is none. */
async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** The addresses that a hosts file gives a name (hosts(5)). */
function namesIn(file: string, host: string): readonly LookupAddress[] {
  return file.split("\n").flatMap((line) => {
    const [address = "", ...names] = tokensIn(line.toLowerCase());
    const family = isIP(address);
    return family !== 0 && names.includes(host) ? [{ address, family }] : [];
  });
}

/** A name as it is asked for, in order: as it is, and with each domain of the search list (resolv.conf(5)). */
function namesToAsk(host: string, file: string): readonly string[] {
  if (host.endsWith(".")) return [host];
  const lines = file.split("\n").map(tokensIn);
  const domains = lines.findLast(([keyword]) => keyword === "search" || keyword === "domain")?.slice(1) ?? [];
  const options = lines.flatMap(([keyword, ...values]) => (keyword === "options" ? values : []));
  const dotsMin = Number(options.findLast((word) => /^ndots:\d{1,2}$/.test(word))?.slice("ndots:".length) ?? 1);
  const searched = domains.map((domain) => `${host}.${domain.replace(/\.$/, "")}`);
  return host.split(".").length > dotsMin ? [host, ...searched] : [...searched, host];
}

function tokensIn(line: string): readonly string[] {
  return line
    .replace(/[#;].*/, "")
    .split(/\s+/)
    .filter((word) => word !== "");
}

type ServerOptions = { readonly servers: readonly string[] | undefined; readonly signal: AbortSignal };

/** The addresses that the name servers give; none where they have none. Throws where they do not answer. */
async function queryServers(host: string, { servers, signal }: ServerOptions): Promise<readonly LookupAddress[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: serverMs, tries: serverTries });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await eitherKind([resolver.resolve4(host), resolver.resolve6(host)]);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Both kinds of addresses, IPv4 first; one kind where the other does not come soon after. */
async function eitherKind(kinds: readonly Promise<readonly string[]>[]): Promise<readonly LookupAddress[]> {
  const found: LookupAddress[] = [];
  const late = Promise.withResolvers<undefined>();
  const answers = kinds.map(async (kind) => {
    try {
      const addresses = await kind;
      found.push(...addresses.map((address) => ({ address, family: isIP(address) })));
      if (addresses.length > 0) setTimeout(late.resolve, otherKindMs);
      return undefined;
    } catch (error) {
      if (nowhere.includes(codeOf(error))) return undefined;
      return error instanceof Error ? error : new Error("The name servers failed.");
    }
  });
  const failures = await Promise.race([Promise.all(answers), late.promise]);
  const failure = failures?.find((each) => each !== undefined);
  if (found.length === 0 && failure !== undefined) throw failure;
  return found.toSorted((one, other) => one.family - other.family);
}

const systemLookup: Resolve = (host) => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
  lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  return promise;
};

/** Begins a look-up once the one before has ended, whether or not somebody still waits for that. */
function oneAtATime(system: Resolve): Resolve {
  let before: Promise<unknown> = Promise.resolve();
  return (host, signal) => {
    const turn = before.then(() => (signal.aborted ? [] : system(host, signal)));
    before = turn.catch(() => undefined);
    return turn;
  };
}
