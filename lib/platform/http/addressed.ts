import type { IncomingMessage } from "node:http";
import { isTrustedProxy } from "./client-address.ts";

export type ForwardingTrust = {
  /** The address people reach this service at. */
  readonly publicUrl: string;
  /** Whose word counts for whom a request was sent to. */
  readonly proxies: Parameters<typeof isTrustedProxy>[1];
};

/** What says something of the way a request came; only a proxy that this deployment trusts knows it. */
const ofTheWay = /^(x-forwarded-.*|forwarded|x-real-ip|x-original-(url|host)|x-rewrite-url|x-host)$/;

/**
 * Whether another site's page posted this. A browser names the origin of every post: it has to be the public address, or
 * the host the request was sent to, as its connection or a trusted proxy says. What anybody else says of that is taken
 * out, and whoever comes after finds the host that was believed in its place.
 */
export function isForeign(incoming: IncomingMessage, believed: ForwardingTrust): boolean {
  const { method, headers } = incoming;
  const { origin } = headers;
  const asked = hostOf(incoming, believed);
  for (const name of Object.keys(headers)) if (ofTheWay.test(name)) delete headers[name];
  headers["x-forwarded-host"] = asked;
  if (method !== "POST" || origin === undefined) return false;
  const host = URL.parse(origin)?.host;
  if (host === undefined || ![asked, new URL(believed.publicUrl).host].includes(host)) return true;
  headers["x-forwarded-host"] = host;
  return false;
}

function hostOf({ socket, headers }: IncomingMessage, { proxies }: ForwardingTrust): string {
  const forwarded = String(headers["x-forwarded-host"] ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  return (isTrustedProxy(socket.remoteAddress, proxies) && forwarded) || (headers.host ?? "");
}
