import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "#lib/platform/http/front";
import { named, type Reply } from "#lib/platform/http/reply";
import type { Health } from "./health.ts";

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** `/health/live`: 200 as long as this process answers. */
export const live: Reply = { status: 200, headers, body: JSON.stringify({ status: "live" }) };

/** `/health/ready`: 200 while calls can be served, else 503 with the reason. */
export async function readiness(health: Health): Promise<Reply> {
  const ready = await health.readiness();
  return { status: ready.status === "ready" ? 200 : 503, headers, body: JSON.stringify(ready) };
}

export function liveListener(_: IncomingMessage, outgoing: ServerResponse): void {
  answer(outgoing, named(live, randomUUID()));
}

export function readyListener(health: Health) {
  return async (_: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    answer(outgoing, named(await readiness(health), randomUUID()));
  };
}
