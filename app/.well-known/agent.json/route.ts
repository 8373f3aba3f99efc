import { sharedDeps } from "#lib/a2a/admit/shared-deps";
import { env } from "#lib/platform/env";
import { serveCard } from "#lib/a2a/card/serve-card";

// Where A2A clients before 0.3.2 look for the card.
export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return serveCard(request, { deps: sharedDeps(), publicUrl: env().PUBLIC_URL });
}
