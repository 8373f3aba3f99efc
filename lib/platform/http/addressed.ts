import type { IncomingMessage } from "node:http";
import { isTrustedProxy } from "./client-address.ts";

export type ForwardingTrust = {
  /** The address people reach this service at. */
  readonly publicUrl: string;
  /** The proxies whose word counts for the host that a request was sent to. */
  readonly proxies: Parameters<typeof isTrustedProxy>[1];
};

/** What says something of the way a request came. Only a proxy that this deployment trusts knows it. */
const forwarding = /^(x-forwarded-.*|forwarded|x-real-ip|x-original-(url|host)|x-rewrite-url|x-host)$/;

/**
 * Takes out what a stranger's request says of the way it came, and leaves the host it was sent to in `x-forwarded-host`:
 * as its connection says, or a trusted proxy.
 */
export function tellHost(incoming: IncomingMessage, { proxies }: Pick<ForwardingTrust, "proxies">): void {
  const { socket, headers } = incoming;
  const forwarded = String(headers["x-forwarded-host"] ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  const host = (isTrustedProxy(socket.remoteAddress, proxies) && forwarded) || (headers.host ?? "");
  for (const name of Object.keys(headers)) if (forwarding.test(name)) delete headers[name];
  headers["x-forwarded-host"] = host;
}

export type RequestAddress = {
  readonly method: string | undefined;
  readonly origin: string | undefined;
  /** The host the request was sent to, from `tellHost`. */
  readonly host: string;
};

/**
 * The host whose page posted this; undefined if it is another site's. A browser names the origin of every post: it has
 * to be the public address, or the host that the request was sent to.
 */
export function postingHost({ method, origin, host }: RequestAddress, publicUrl: string): string | undefined {
  if (method !== "POST" || origin === undefined) return host;
  const posting = URL.parse(origin)?.host;
  return posting !== undefined && [host, new URL(publicUrl).host].includes(posting) ? posting : undefined;
}
