import { env } from "#lib/platform/env";
import { sharedDeps } from "./admit/shared-deps.ts";
import { healthOf, type Health } from "./health.ts";

const shared = globalThis as { priorAuthorizationHealth?: Health };

/** One per process, though Next bundles this module apart from the server's. */
export function sharedHealth(): Health {
  shared.priorAuthorizationHealth ??= healthOf(sharedDeps().store, { mail: env().SMTP_URL !== undefined });
  return shared.priorAuthorizationHealth;
}
