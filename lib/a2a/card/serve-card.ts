import { env } from "#lib/platform/env";
import { agentCard } from "./agent-card.ts";

/** Answers a request for the card, which names the public address. */
export function serveCard(): Response {
  return Response.json(agentCard(env().PUBLIC_URL), { headers: { "cache-control": "public, max-age=300" } });
}
