import { env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { sharedStore } from "#lib/db/db";
import { createHub, type Hub } from "./hub.ts";
import { openStream } from "./stream.ts";

const shared = globalThis as { priorAuthorizationHub?: Hub };

type Asked = Pick<Parameters<typeof openStream>[0], "sessionId" | "signal">;

/** A stream from the one hub of this process. */
export function sharedStream(asked: Asked): Promise<Response> {
  return openStream({ hub: sharedHub(), store: sharedStore(), ...asked });
}

/** Opened for its first reader; Next bundles this module apart from the server's. */
function sharedHub(): Hub {
  shared.priorAuthorizationHub ??= createHub({
    store: sharedStore(),
    url: env().APP_DATABASE_URL,
    log: createLog("live"),
  });
  return shared.priorAuthorizationHub;
}

/** Ends every stream, where there ever was one. */
export async function closeSharedHub(): Promise<void> {
  await shared.priorAuthorizationHub?.close();
}
