/** Where to go after signing in: a path of ours, whatever was asked for. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/")) return "/";
  const url = URL.parse(asked, "http://origin.invalid");
  if (url?.origin !== "http://origin.invalid" || url.pathname.startsWith("/api/")) return "/";
  return `${url.pathname}${url.search}`;
}
