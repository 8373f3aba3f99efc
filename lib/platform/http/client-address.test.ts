import { expect, test } from "vitest";
import { readNetworks } from "#lib/platform/outbound/networks";
import { clientAddress } from "./client-address.ts";

const proxies = readNetworks("10.0.0.0/8,fd00::/8") ?? [];
const from = (remoteAddress: string, forwarded?: string, trusted = proxies) =>
  clientAddress(
    { socket: { remoteAddress }, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } },
    trusted,
  );

test.each([
  ["no proxy is trusted unless it is named", "10.0.0.1", "203.0.113.7", [], "10.0.0.1"],
  ["a stranger's header says nothing", "198.51.100.2", "203.0.113.7", proxies, "198.51.100.2"],
  ["a trusted proxy says who came to it", "10.0.0.1", "203.0.113.7", proxies, "203.0.113.7"],
  ["the client's own header is not believed", "10.0.0.1", "1.1.1.1, 203.0.113.7, 10.2.2.2", proxies, "203.0.113.7"],
  ["what is no address is not one", "10.0.0.1", "203.0.113.7, nobody", proxies, "10.0.0.1"],
  ["a proxy that says nothing is the client", "10.0.0.1", undefined, proxies, "10.0.0.1"],
  ["an IPv4 address stands in its own form", "::ffff:10.0.0.1", "::ffff:203.0.113.7", proxies, "203.0.113.7"],
  ["an address is read without its port", "10.0.0.1", "203.0.113.7:51000, 10.2.2.2:80", proxies, "203.0.113.7"],
  ["an IPv6 one as well", "10.0.0.1", "[2001:db8::7]:51000", proxies, "2001:db8::7"],
  ["an IPv6 one without its interface", "fe80::1%eth0", undefined, proxies, "fe80::1"],
] as const)("%s", (_, remote, forwarded, trusted, address) => {
  expect(from(remote, forwarded, trusted)).toBe(address);
});
