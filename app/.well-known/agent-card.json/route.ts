import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { env } from "#lib/platform/env";
import { serveCard } from "#lib/a2a/card/serve-card";

// The public address is known only where the service runs.
export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return serveCard(request, { deps: sharedDeps(), publicUrl: env().PUBLIC_URL });
}
