import { showDatabase } from "#lib/db/show-database";
import { UnfitError } from "#lib/db/unfit";
import { env } from "#lib/platform/env";
import { onePerProcess } from "#lib/platform/process/one-per-process";
import { sharedDeps } from "./admit/shared-deps.ts";
import { healthOf, type Health } from "./health.ts";
import { proven } from "./proven.ts";

export function sharedHealth(): Health {
  return onePerProcess("health", makeHealth);
}

/** Shows in the metrics how this process and its database stand to each other. */
export function showSharedDatabase(): Promise<void> {
  return showDatabase(sharedDeps().store);
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
