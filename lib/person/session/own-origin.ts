/**
 * Whether a request comes from a page of this service; a browser says so itself with every POST, and no page can forge it.
 * The header is what the front believes of whom the request was sent to: it takes out whatever a caller wrote there.
 */
export function isOwnOrigin({ headers }: Request): boolean {
  const origin = headers.get("origin");
  return origin !== null && URL.parse(origin)?.host === headers.get("x-forwarded-host");
}
