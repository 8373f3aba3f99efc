/** Nothing of ours, and where a browser would look first to see who is meant. */
const base = "http://origin.invalid";

/**
 * Where to go after signing in: a path of ours, whatever was asked for. A browser reads the path that comes out as one of
 * this origin too: it begins with a single slash, and holds no character that is skipped or taken for a slash.
 */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/") || /[\\\p{Cc}]/u.test(asked)) return "/";
  const url = URL.parse(asked, base);
  if (url?.origin !== base || url.pathname.startsWith("/api/")) return "/";
  // What dot segments leave may begin with two slashes, which name a host to whoever reads it next.
  return url.pathname.startsWith("//") ? "/" : `${url.pathname}${url.search}`;
}
