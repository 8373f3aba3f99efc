import type { Instrumentation } from "next";

/** Next calls this once, before it answers anything. `server.ts` has done it all when it stands in front. */
export async function register(): Promise<void> {
  // Next's bundler reads these two words: what follows is for its Node server alone.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isBehindFront } = await import("#lib/platform/http/arrival-headers");
  if (isBehindFront()) return;
  const { preparePlainNext } = await import("./serving.ts");
  await preparePlainNext();
}

/** Next's errors of pages and actions as lines of our log. `reference` is what the page shows. */
export const onRequestError: Instrumentation.onRequestError = async (error, { method }, { routePath, routeType }) => {
  // Nothing of ours runs in Next's other runtime, and its bundler must not look for Node's modules there.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ sharedDeps, logFailedRequest }, { noteUnread }, { isReaderGone }] = await Promise.all([
    import("#lib/a2a/admit/shared-deps"),
    import("#lib/platform/process/page-post"),
    import("#lib/platform/http/reader-gone"),
  ]);
  if (isReaderGone(error)) return sharedDeps().log.info({ route: routePath }, "a page was left before it was drawn");
  const reference = error instanceof Error && "digest" in error ? error.digest : undefined;
  if (noteUnread()) return sharedDeps().log.info({ err: error, route: routePath }, "a form could not be read");
  logFailedRequest({ err: error, reference, method, route: routePath, part: routeType }, "a page failed");
};
