import type { Store } from "#lib/db/db";
import { liveSession } from "#lib/person/shared/live-session";

/** Looks at a session again, so that one that is over is known to be. A failure of the database says nothing of it. */
export async function lookAtSession(store: Store, sessionId: string): Promise<void> {
  await liveSession(store, sessionId, { isUse: false }).catch(() => undefined);
}
