/**
 * Whether a page was not drawn to its end only because whoever asked for it left: React reports that as a failure of the
 * stream it writes to, and Next as one of the page.
 */
export function isReaderGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^The destination stream (?:closed early|errored while writing data)\.$/.test(error.message)
  );
}
