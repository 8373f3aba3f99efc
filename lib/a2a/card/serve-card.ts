import { env } from "#lib/platform/env";
import { agentCard } from "./agent-card.ts";

/** Answers a request for the agent card; clients may cache it for 5 minutes. */
export function serveCard(): Response {
  return Response.json(agentCard(env().PUBLIC_URL), { headers: { "cache-control": "public, max-age=300" } });
}
