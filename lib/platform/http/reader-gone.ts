/**
 * Whether a page was not drawn to its end only because whoever asked for it left: React reports that as a failure of the
 * stream it writes to, and `next dev` as one of the page. `next start` was not seen to.
 */
export function isReaderGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^The destination stream (?:closed early|errored while writing data)\.$/.test(error.message)
  );
}
