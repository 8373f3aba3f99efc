import { env } from "#lib/platform/env";

/** Whether browsers reach this service over TLS; it follows the public address. */
export function isSecure(publicUrl = env().PUBLIC_URL): boolean {
  return publicUrl.startsWith("https://");
}

/**
 * Over TLS a cookie's name begins with `__Host-`: browsers then take it only from this very host, over TLS and for all of
 * its paths (RFC 6265bis, 4.1.3.2), so that neither another name of the domain nor anybody in clear can put one there.
 */
export function cookieNamed(name: string, publicUrl?: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

/** What such a cookie is given; a path of its own is only possible where it has no such name. */
export function cookieAttributes(path = "/", publicUrl?: string) {
  const secure = isSecure(publicUrl);
  return { httpOnly: true, sameSite: "lax", secure, path: secure ? "/" : path } as const;
}
