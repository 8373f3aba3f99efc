import type { Logger } from "pino";
import { afterAll, beforeAll } from "vitest";
import { pushListener } from "#lib/a2a/listener";
import { createFront } from "#lib/platform/http/front";
import type { Store } from "#lib/db/db";
import { listening } from "../servers/served.ts";

/** The front with nothing but the door payers come by, for the tests of one file; says where it listens. */
export function aPushFront({ store, log }: { store: Store; log: Logger }): () => string {
  const front = createFront({
    byPath: {},
    byPrefix: { "/api/payers/": pushListener({ store, log }) },
    rest: (_, outgoing) => void outgoing.writeHead(404).end(),
    upgrades: () => false,
    onError: () => undefined,
  });
  let url = "";
  beforeAll(async () => void (url = await listening(front)));
  afterAll(() => {
    front.closeAllConnections();
    front.close();
  });
  return () => url;
}
