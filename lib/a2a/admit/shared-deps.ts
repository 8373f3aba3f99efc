import { env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { sharedStore } from "#lib/db/db";
import type { Deps } from "#lib/a2a/call";
import { openCallBook } from "./call-book.ts";
import { createLoad } from "./load.ts";

const shared = globalThis as { priorAuthorizationA2a?: Deps };

/** One per process. Next has its own copy of this module, and both copies must count the same load. */
export function sharedDeps(): Deps {
  shared.priorAuthorizationA2a ??= makeDeps();
  return shared.priorAuthorizationA2a;
}

function makeDeps(): Deps {
  const [store, log] = [sharedStore(), createLog("server")];
  const onError = (error: unknown) => log.error({ err: error }, "the channels' limits or counts could not be kept up");
  return {
    store,
    load: createLoad({ store, onError, bytesPerDay: env().CHANNEL_BYTES_PER_DAY }),
    book: openCallBook(store, onError),
    log,
  };
}
