import { live } from "#lib/a2a/health-listener";
import { toResponse } from "#lib/platform/http/reply";

export const dynamic = "force-dynamic";

/** Under plain Next; `server.ts` answers this path before Next sees it. */
export function GET(): Response {
  return toResponse(live);
}
