import { readiness } from "#lib/a2a/health-listener";
import { sharedHealth } from "#lib/a2a/shared-health";
import { toResponse } from "#lib/platform/http/reply";

export const dynamic = "force-dynamic";

/** Under plain Next; `server.ts` answers this path before Next sees it. */
export async function GET(): Promise<Response> {
  return toResponse(await readiness(sharedHealth()));
}
