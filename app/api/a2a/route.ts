import { serveA2a } from "#lib/a2a/serve";
import { sharedDeps } from "#lib/a2a/admit/shared-deps";

export const dynamic = "force-dynamic";

/** The endpoint on a host that runs plain Next; `server.ts` answers it before Next sees it. */
function serve(request: Request): Promise<Response> {
  return serveA2a(request, sharedDeps());
}

// Every verb, so that the others get our 405 and not Next's.
export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT };
