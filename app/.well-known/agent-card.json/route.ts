// The public address is known only where the service runs.
export const dynamic = "force-dynamic";

export { serveCard as GET } from "#lib/a2a/card/serve-card";
