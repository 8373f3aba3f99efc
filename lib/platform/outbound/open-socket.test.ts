import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { LookupAddress } from "node:dns";
import type { AddressInfo, Server } from "node:net";
import { once } from "node:events";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { assert } from "#lib/platform/result";
import { exchange } from "./exchange.ts";
import { readNetworks, refusedNetwork, type Networks } from "./networks.ts";
import { urlNetworkProblem } from "./open-socket.ts";
import type { Resolve } from "./resolve.ts";
import { anAuthority } from "#test/support/servers/certificates";

const networks = (text: string): Networks => {
  const read = readNetworks(text);
  assert(read, "the test's networks are networks");
  return read;
};
const none = networks("");

describe("an address is refused", () => {
  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "4000::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
  ])("that is not of the public internet: %s", (address) => {
    expect(refusedNetwork(address, none)).toEqual(expect.any(String));
  });

  test("unless it is of the public internet", () => {
    const open = ["1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.0.1.1", "2606:4700:4700::1111"];
    expect(open.map((address) => refusedNetwork(address, none))).toEqual(open.map(() => undefined));
  });

  test("unless the deployment allows its network, and then that one alone", () => {
    const allowed = networks("10.20.0.0/16, fd12::/16");
    expect(refusedNetwork("10.20.3.4", allowed)).toBeUndefined();
    expect(refusedNetwork("fd12::5", allowed)).toBeUndefined();
    expect(refusedNetwork("10.21.0.1", allowed)).toBe("a private network");
    expect(refusedNetwork("::ffff:10.20.3.4", allowed)).toBe("an address that stands for another");
  });
});

test("what is no network is no setting", () => {
  expect(["10.0.0.0", "10.0.0.0/33", "all", "10.0.0.0/8,x"].map(readNetworks)).toEqual(Array(4).fill(undefined));
});

test("an address that shows where it leads is refused as it is typed in", () => {
  const bad = ["https://169.254.169.254/", "https://[fd00::1]/fhir", "https://0x7f.1/", "https://localhost/fhir"];
  for (const url of bad) expect(urlNetworkProblem(new URL(url), none), url).toMatch(/^must not lead to /);
  expect(urlNetworkProblem(new URL("https://payer.example/fhir"), none)).toBeUndefined();
});

/** A server on one loopback address that counts who connected; its port comes back. */
async function counting(server: Server, host: string) {
  const seen = { connections: 0 };
  server.on("connection", () => (seen.connections += 1));
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // Safe because it listens on a TCP port.
  return { seen, port: (server.address() as AddressInfo).port };
}

/** Answers each question with the next of these. */
function answering(...answers: readonly (readonly string[])[]): { resolve: Resolve; resolutions: () => number } {
  let resolutions = 0;
  const resolve: Resolve = async () => {
    const answer = answers[Math.min(resolutions, answers.length - 1)] ?? [];
    resolutions += 1;
    return answer.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { resolve, resolutions: () => resolutions };
}

const get = (url: string) => ({ method: "GET", url, contentType: "application/json", body: new Uint8Array() });
const soon = () => AbortSignal.timeout(5_000);

describe("a connection", () => {
  test("goes to the very address that was judged, whatever the resolver says a moment later", async () => {
    const [allowed, inner] = ["127.0.0.2", "127.0.0.1"];
    const door = createServer((_, response) => response.end("the judged one"));
    const { seen, port } = await counting(door, allowed);
    const secret = await counting(createServer(), inner);
    const { resolve, resolutions } = answering([allowed], [inner]);
    const exchanged = await exchange(get(`http://localhost:${port}/`), {
      signal: soon(),
      resolve,
      networks: networks("127.0.0.2/32"),
    });
    expect(exchanged).toMatchObject({ kind: "reply", status: 200 });
    expect([seen.connections, secret.seen.connections, resolutions()]).toEqual([1, 0, 1]);
  });

  test("is refused where the second answer comes at the next connect, and nothing is sent", async () => {
    const { seen, port } = await counting(createServer(), "127.0.0.1");
    const { resolve } = answering(["127.0.0.2"], ["127.0.0.1"]);
    const going = { resolve, networks: networks("127.0.0.2/32") };
    await exchange(get(`http://localhost:${port}/`), { ...going, signal: soon() });
    const second = await exchange(get(`http://localhost:${port}/`), { ...going, signal: soon() });
    expect(second).toEqual({
      kind: "unsent",
      refused: true,
      reason: "localhost leads to this machine itself, which this service does not reach out to.",
    });
    expect(seen.connections).toBe(0);
  });

  test("is refused where one address of several leads inside", async () => {
    const { resolve } = answering(["8.8.8.8", "10.0.0.5"]);
    const exchanged = await exchange(get("https://payer.example/"), { signal: soon(), resolve, networks: none });
    expect(exchanged).toMatchObject({ kind: "unsent", reason: expect.stringContaining("a private network") });
  });

  test("to a name that is this machine's in name alone is refused in clear", async () => {
    const { resolve } = answering(["10.0.0.5"]);
    const exchanged = await exchange(get("http://localhost/"), {
      signal: soon(),
      resolve,
      networks: networks("10.0.0.0/8"),
    });
    expect(exchanged).toMatchObject({
      kind: "unsent",
      reason: expect.stringContaining("Only https leaves this machine"),
    });
  });

  const [known, unknown] = [anAuthority(), anAuthority()];

  test.each([
    ["is of an authority nobody trusts", unknown.certify("payer.example"), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["is for another name", known.certify("elsewhere.example"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["is for the address and not the name", known.certify("127.0.0.1"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["has ended", known.certify("payer.example", { days: -1 }), "CERT_HAS_EXPIRED"],
    ["is good", known.certify("payer.example"), undefined],
  ] as const)("over TLS stands only where the certificate %s, whatever the environment says", async (_, own, code) => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, known.cert]);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => {
      setDefaultCACertificates(trusted);
      vi.unstubAllEnvs();
    });
    const receivedThere: string[] = [];
    const server = createSecureServer(own, ({ url = "" }, response) => {
      receivedThere.push(url);
      response.end("the payer");
    });
    const { seen, port } = await counting(server, "127.0.0.1");
    const { resolve } = answering(["127.0.0.1"]);
    const exchanged = await exchange(get(`https://payer.example:${port}/`), {
      signal: soon(),
      resolve,
      networks: networks("127.0.0.1/32"),
    });
    expect(exchanged).toMatchObject(
      code === undefined
        ? { kind: "reply", status: 200 }
        : { kind: "unsent", reason: `The payer could not be reached (${code}).` },
    );
    expect(receivedThere).toEqual(code === undefined ? ["/"] : []);
    expect(seen.connections).toBe(1);
  });

  test("follows no redirect", async () => {
    const inner = await counting(createServer(), "127.0.0.1");
    const away = createServer((_, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${inner.port}/` }).end(),
    );
    const { port } = await counting(away, "127.0.0.1");
    expect(await exchange(get(`http://127.0.0.1:${port}/`), { signal: soon() })).toMatchObject({ status: 302 });
    expect(inner.seen.connections).toBe(0);
  });

  test("is given up where the resolver says nothing", async () => {
    const never: Resolve = () => Promise.withResolvers<readonly LookupAddress[]>().promise;
    const exchanged = await exchange(get("https://payer.example/"), {
      signal: AbortSignal.timeout(20),
      resolve: never,
    });
    const reason = "The payer could not be reached (timed out).";
    expect(exchanged).toEqual({ kind: "unsent", reason, isUnreachable: true });
  });
});
