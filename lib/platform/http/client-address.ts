import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { networkOf } from "#lib/platform/network-of";
import { trustedProxies } from "#lib/platform/env";
import { isWithin, senderOf, type Networks } from "#lib/platform/outbound/networks";

/**
 * Where a request comes from: the other end of its connection, never what a header says of it. Where that is a proxy
 * this deployment trusts, the last address before the proxies that they wrote into X-Forwarded-For.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "headers"> & { socket: { remoteAddress?: string | undefined } },
  proxies: Networks = trustedProxies(),
): string | undefined {
  const own = socket.remoteAddress && plainAddress(socket.remoteAddress);
  if (!own || !isTrustedProxy(own, proxies)) return own || undefined;
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  const client = hops.map((hop) => plainAddress(withoutPort(hop.trim()))).findLast((hop) => !isWithin(hop, proxies));
  return client !== undefined && isIP(client) !== 0 ? client : own;
}

/** The network a request comes from, by the same rule; of IPv6 the /64. */
export function clientNetwork(incoming: IncomingMessage): string {
  return networkOf(clientAddress(incoming), 4);
}

/** Whether what the other end of a connection says of a request's way is believed. */
export function isTrustedProxy(address: string | undefined, proxies: Networks = trustedProxies()): boolean {
  return proxies.length > 0 && address !== undefined && isWithin(plainAddress(address), proxies);
}

/** An IPv4 address in its own form, and none with the name of an interface. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}

/** Some balancers write the port of the client too: `192.0.2.7:51000`, and `[2001:db8::7]:51000`. */
function withoutPort(hop: string): string {
  return /^([\d.]+):\d+$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop;
}

export { senderOf };
