/**
 * Whether a request comes from a page of this service. Browsers send `origin` with every POST, and no page can forge it.
 * The service itself sets `x-forwarded-host`, in place of what a caller wrote there.
 */
export function isOwnOrigin({ headers }: Request): boolean {
  const origin = headers.get("origin");
  return origin !== null && URL.parse(origin)?.host === headers.get("x-forwarded-host");
}
