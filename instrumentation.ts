import type { Instrumentation } from "next";

/**
 * Next's errors of pages and actions as lines of our log. Its own, which would
 * print whatever an error holds, are switched off in `server.ts`. `reference`
 * is what the page shows.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, { method }, { routePath, routeType }) => {
  const [{ sharedDeps }, { noteUnread }] = await Promise.all([
    import("#lib/a2a/admit/shared-deps"),
    import("#lib/platform/process/page-post"),
  ]);
  const reference = error instanceof Error && "digest" in error ? error.digest : undefined;
  if (noteUnread()) return sharedDeps().log.info({ err: error, route: routePath }, "a form could not be read");
  sharedDeps().log.error({ err: error, reference, method, route: routePath, part: routeType }, "a page failed");
};
