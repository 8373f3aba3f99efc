import { createLog } from "#lib/platform/log";
import { sharedStore } from "#lib/db/db";
import { sharedHints } from "#lib/db/shared-hints";
import { createHub, type Hub } from "./hub.ts";
import { openStream } from "./stream.ts";

const shared = globalThis as { priorAuthorizationHub?: Hub };

type StreamRequest = Pick<Parameters<typeof openStream>[0], "sessionId" | "signal">;

/** A stream from the one hub of this process. */
export function sharedStream(request: StreamRequest): Promise<Response> {
  return openStream({ hub: sharedHub(), store: sharedStore(), ...request });
}

/** Created for the first reader. It is global because Next has its own copy of this module. */
function sharedHub(): Hub {
  shared.priorAuthorizationHub ??= createHub({
    store: sharedStore(),
    hints: sharedHints(),
    log: createLog("live"),
  });
  return shared.priorAuthorizationHub;
}

/** Ends every stream of this process, if any was opened. */
export function closeSharedHub(): void {
  shared.priorAuthorizationHub?.close();
}
