import { UnfitError } from "#lib/db/unfit";
import { env } from "#lib/platform/env";
import { sharedDeps } from "./admit/shared-deps.ts";
import { healthOf, type Health } from "./health.ts";
import { proven } from "./proven.ts";

const shared = globalThis as { priorAuthorizationHealth?: Health };

/** One per process, though Next bundles this module apart from the server's. */
export function sharedHealth(): Health {
  shared.priorAuthorizationHealth ??= makeHealth();
  return shared.priorAuthorizationHealth;
}

function makeHealth(): Health {
  const { store, log } = sharedDeps();
  const prove = () =>
    proven(store).catch((error: unknown) => {
      if (error instanceof UnfitError) log.fatal({ err: error }, "this process does not fit its database");
      throw error;
    });
  return healthOf(store, {
    mail: env().SMTP_URL !== undefined,
    replicates: env().REPLICATION !== "off",
    prove,
  });
}
