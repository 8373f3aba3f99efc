import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { servePush } from "#lib/payer/inbox/serve";

export const dynamic = "force-dynamic";

/** Where payers bring notifications, on a host that runs plain Next; `server.ts` answers them before Next sees them. */
function serve(request: Request): Promise<Response> {
  return servePush(request, sharedDeps());
}

// Every verb, so that the others get our 405 and not Next's.
export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT };
