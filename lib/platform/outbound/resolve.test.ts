import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aNameServer, type Zone } from "#test/support/servers/name-server";
import { exchange } from "./exchange.ts";
import { readNetworks } from "./networks.ts";
import { resolveBy, type Resolve } from "./resolve.ts";

type Machine = Zone & { readonly hosts?: string; readonly resolver?: string };

/** A machine with these files, whose name server is one of ours; `system` are the names its own look-up was asked for. */
async function aMachine({ hosts = "", resolver = "", ...zone }: Machine = {}) {
  const folder = await mkdtemp(join(tmpdir(), "names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [hostsFile, resolverFile] = [join(folder, "hosts"), join(folder, "resolv.conf")];
  await writeFile(hostsFile, hosts);
  await writeFile(resolverFile, resolver);
  const { servers, queries } = await aNameServer(zone);
  const system: string[] = [];
  const bySystem: Resolve = async (host) => {
    system.push(host);
    return [];
  };
  const resolve = resolveBy({ hostsFile, resolverFile, servers, system: bySystem });
  const addressesOf = async (host: string) => (await resolve(host, soon())).map(({ address }) => address);
  return { resolve, addressesOf, queries, system };
}

const soon = () => AbortSignal.timeout(8_000);
const get = (url: string) => ({ method: "GET", url, contentType: "application/json", body: new Uint8Array() });

describe("a host whose name server says nothing", () => {
  test("delays no other host: 40 of them are waited for while others are found at once", async () => {
    const { resolve, addressesOf } = await aMachine({
      hosts: "10.1.1.1 gateway",
      addresses: { "payer.example": ["192.0.2.7"] },
      silent: (name) => name.endsWith(".silent.example"),
    });
    const ended = new AbortController();
    const waiting = Array.from({ length: 40 }, (_, index) => resolve(`h${index}.silent.example`, ended.signal));
    const outcomes = Promise.allSettled(waiting);
    const began = performance.now();
    for (let round = 0; round < 5; round += 1) {
      expect(await addressesOf("payer.example")).toEqual(["192.0.2.7"]);
      expect(await addressesOf("gateway")).toEqual(["10.1.1.1"]);
      expect(await addressesOf("localhost")).toEqual(["127.0.0.1", "::1"]);
    }
    expect(performance.now() - began).toBeLessThan(4_000);
    ended.abort();
    expect((await outcomes).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("is given up with its exchange, and its name is never looked up in a thread", async () => {
    const { resolve, system } = await aMachine({ silent: () => true });
    const exchanged = await exchange(get("https://payer.example/"), { signal: AbortSignal.timeout(100), resolve });
    const reason = "The payer could not be reached (timed out).";
    expect(exchanged).toEqual({ kind: "unsent", reason, isUnreachable: true });
    expect(system).toEqual([]);
  });

  test("for one kind of address only is reached at the other", async () => {
    const addresses = { "payer.example": ["192.0.2.7", "2001:db8::7"] };
    const silentFor = async (kind: 1 | 28) => {
      const machine = await aMachine({ addresses, silent: (_, type) => type === kind });
      return machine.addressesOf("payer.example");
    };
    expect(await Promise.all([silentFor(28), silentFor(1)])).toEqual([["192.0.2.7"], ["2001:db8::7"]]);
  });
});

test("all addresses of a name are found, and those of the hosts file before any other", async () => {
  const { addressesOf, queries } = await aMachine({
    hosts: "# by hand\n10.0.0.5\tCollector collector.inner # ours\nfd00::5 collector\nnonsense collector\n",
    addresses: { "payer.example": ["192.0.2.7", "2001:db8::7"], collector: ["192.0.2.9"] },
  });
  expect(await addressesOf("payer.example")).toEqual(["192.0.2.7", "2001:db8::7"]);
  const before = queries.length;
  expect(await addressesOf("collector")).toEqual(["10.0.0.5", "fd00::5"]);
  expect(await addressesOf("collector.inner.")).toEqual(["10.0.0.5"]);
  expect(await addressesOf("any.localhost")).toEqual(["127.0.0.1", "::1"]);
  expect(queries).toHaveLength(before);
});

test("a service is found by its bare name, as Compose names it, and by the search list, as Kubernetes does", async () => {
  const compose = await aMachine({ addresses: { collector: ["172.18.0.3"] } });
  expect(await compose.addressesOf("collector")).toEqual(["172.18.0.3"]);
  const addresses = { "payments.dev.svc.cluster.local": ["10.96.0.4"], "payments.dev": ["192.0.2.66"] };
  const resolver = "nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local\noptions ndots:5\n";
  const kubernetes = await aMachine({ addresses, resolver });
  expect(await kubernetes.addressesOf("payments.dev")).toEqual(["10.96.0.4"]);
  expect(await kubernetes.addressesOf("payments.dev.")).toEqual(["192.0.2.66"]);
  const plain = await aMachine({ addresses, resolver: "search svc.cluster.local\n" });
  expect(await plain.addressesOf("payments.dev")).toEqual(["192.0.2.66"]);
});

test("a name that no server has is asked of the system, which may know others", async () => {
  const { addressesOf, system } = await aMachine();
  expect(await addressesOf("printer.local")).toEqual([]);
  expect(system).toEqual(["printer.local"]);
});

test("every address that a name server gives is judged before a connection is opened", async () => {
  const addresses = { "rebound.example": ["8.8.8.8", "10.0.0.5"], "mapped.example": ["::ffff:7f00:1"] };
  const { resolve } = await aMachine({ addresses });
  for (const host of ["rebound.example", "mapped.example"])
    expect(
      await exchange(get(`https://${host}/`), { signal: soon(), resolve, networks: readNetworks("") }),
    ).toMatchObject({ kind: "unsent", refused: true });
});
