import { env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { sharedStore } from "#lib/db/db";
import { closeSharedHints, sharedHints } from "#lib/db/shared-hints";
import { createRecordCache } from "#lib/task/record-cache";
import { createTaskWatch, type TaskWatch } from "#lib/task/task-watch";
import type { Deps } from "#lib/a2a/call";
import { helpAddress } from "#lib/a2a/help-address";
import { openCallBook } from "./call-book.ts";
import { createLoad } from "./load.ts";
import { sampledReads } from "./sampled-reads.ts";
import { logFailure } from "#lib/db/unavailable";

type SharedDeps = Deps & { readonly watch: TaskWatch };

const shared = globalThis as { priorAuthorizationA2a?: SharedDeps };

/** One per process. Next has its own copy of this module, and both copies must count the same load. */
export function sharedDeps(): SharedDeps {
  shared.priorAuthorizationA2a ??= makeDeps();
  return shared.priorAuthorizationA2a;
}

/** A line about a page or a request that failed: at `warn` where it was an outage, else at `error`. */
export function logFailedRequest(fields: Parameters<typeof logFailure>[1], message: string): void {
  logFailure(sharedDeps().log, fields, message);
}

/** Ends every connection of this process to the database. */
export async function closeSharedDeps(): Promise<void> {
  await closeSharedHints();
  await shared.priorAuthorizationA2a?.store.close();
}

function makeDeps(): SharedDeps {
  const [store, log] = [sharedStore(), createLog("server")];
  const onError = (error: unknown) =>
    logFailure(log, { err: error }, "the channels' limits or counts could not be kept up");
  return {
    store,
    load: createLoad({ store, onError, bytesPerDay: env().CHANNEL_BYTES_PER_DAY }),
    book: openCallBook(store, onError),
    log,
    records: createRecordCache(),
    help: helpAddress(),
    isReadLogged: sampledReads(env().LOG_READS_ONE_IN),
    watch: createTaskWatch({
      store,
      hints: sharedHints(),
      onError: (error) =>
        log.warn({ err: error }, "tasks could not be compared; the next comparison will find changes"),
    }),
  };
}
