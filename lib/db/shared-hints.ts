import { env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { openHints, type Hints } from "./hints.ts";

const shared = globalThis as { priorAuthorizationHints?: Hints };

/** The one of this process. It is global because Next has its own copy of this module. */
export function sharedHints(): Hints {
  shared.priorAuthorizationHints ??= makeHints();
  return shared.priorAuthorizationHints;
}

function makeHints(): Hints {
  const log = createLog("live");
  return openHints({
    url: env().LISTEN_DATABASE_URL ?? env().APP_DATABASE_URL,
    onLost: (error) => log.warn({ err: error }, "the connection for change notifications was lost"),
  });
}

export async function closeSharedHints(): Promise<void> {
  await shared.priorAuthorizationHints?.close();
}
