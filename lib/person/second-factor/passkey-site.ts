import { isIP } from "node:net";
import { env } from "#lib/platform/env";

/** What passkeys are bound to: the service's host name and origin. */
export type PasskeySite = { readonly rpId: string; readonly origin: string };

/**
 * The site of the public address. Undefined where browsers allow no passkeys: on an IP address, and without TLS except
 * on `localhost`.
 */
export function passkeySite(publicUrl = env().PUBLIC_URL): PasskeySite | undefined {
  const { hostname, protocol, origin } = new URL(publicUrl);
  if (hostname.startsWith("[") || isIP(hostname) !== 0) return undefined;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "https:" || isLocal ? { rpId: hostname, origin } : undefined;
}
