import type { IncomingMessage, ServerResponse } from "node:http";
import type { Health } from "./health.ts";
import { answer } from "#lib/platform/http/front";

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** `/health/live`: this process answers. */
export function liveListener(_: IncomingMessage, outgoing: ServerResponse): void {
  answer(outgoing, { status: 200, headers, body: JSON.stringify({ status: "live" }) });
}

/** `/health/ready`: 200 while calls are served, else 503 with the reason. */
export function readyListener(health: Health) {
  return async (_: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const readiness = await health.readiness();
    answer(outgoing, { status: readiness.status === "ready" ? 200 : 503, headers, body: JSON.stringify(readiness) });
  };
}
