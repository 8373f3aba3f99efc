/** An origin that is not ours, to resolve the path against. */
const base = "http://origin.invalid";

/**
 * Where to go after signing in: a path of this service, whatever was requested. Browsers too read the result as a path
 * of this origin: it begins with a single slash, and has no character that browsers skip or read as a slash.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || /[\\\p{Cc}]/u.test(wanted)) return "/";
  const url = URL.parse(wanted, base);
  if (url?.origin !== base || url.pathname.startsWith("/api/")) return "/";
  // Dot segments may leave two slashes at the beginning, which the next reader takes for a host.
  return url.pathname.startsWith("//") ? "/" : `${url.pathname}${url.search}`;
}
