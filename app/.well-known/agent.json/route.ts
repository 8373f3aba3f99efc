// Where A2A clients before 0.3.2 look for the card.
export const dynamic = "force-dynamic";

export { serveCard as GET } from "#lib/a2a/card/serve-card";
