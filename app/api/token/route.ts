import { serveToken } from "#lib/channel/token/serve";
import { sharedTokenDeps } from "#lib/channel/token/shared-token-deps";

export const dynamic = "force-dynamic";

/** The token endpoint on a host that runs plain Next; `server.ts` answers it before Next sees it. */
function serve(request: Request): Promise<Response> {
  return serveToken(request, sharedTokenDeps());
}

export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT };
