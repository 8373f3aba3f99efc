import { env } from "#lib/env";
import { createLog } from "#lib/log";
import { sharedStore } from "#lib/store/db";
import type { Deps } from "./call.ts";
import { createLoad } from "./load.ts";

const shared = globalThis as { priorAuthorizationA2a?: Deps };

/** One per process: Next bundles this module apart from the server's, and there is one load to count. */
export function sharedDeps(): Deps {
  shared.priorAuthorizationA2a ??= makeDeps();
  return shared.priorAuthorizationA2a;
}

function makeDeps(): Deps {
  const { CHANNEL_CALLS_PER_SECOND: callsPerSecond, CHANNEL_CALLS_BURST: burst } = env();
  const perChannel = callsPerSecond === undefined ? undefined : { callsPerSecond, burst };
  return { store: sharedStore(), load: createLoad({ perChannel }), log: createLog("server") };
}
