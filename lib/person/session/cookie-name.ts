import { env } from "#lib/platform/env";

/** Whether browsers reach this service over TLS, which follows from the public address. */
export function isSecure(publicUrl = env().PUBLIC_URL): boolean {
  return publicUrl.startsWith("https://");
}

/**
 * The cookie's name, over TLS with the prefix `__Host-`: browsers accept such a cookie only from this host, over TLS
 * and for all its paths (RFC 6265bis section 4.1.3.2), so that neither another host of the domain nor an attacker on
 * plain http can set one.
 */
export function cookieNamed(name: string, publicUrl?: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

/** The attributes of such a cookie. A path of its own is possible only where the name has no prefix. */
export function cookieAttributes(path = "/", publicUrl?: string) {
  const secure = isSecure(publicUrl);
  return { httpOnly: true, sameSite: "lax", secure, path: secure ? "/" : path } as const;
}
