import type { RequestListener, Server } from "node:http";
import { agentCard } from "#lib/a2a/card/agent-card";
import type { Deps } from "#lib/a2a/call";
import { a2aListener, tokenListener } from "#lib/a2a/listener";
import { answer, createFront } from "#lib/platform/http/front";
import { countFalseAssertions } from "#lib/channel/token/false-assertions";
import { createKeySets } from "#lib/channel/token/key-sets";
import { tokenPlaces } from "#lib/channel/token/serve";

/** What a client that signs for itself talks to: the endpoint, its card, and where tokens are given for `tokenUrl`. */
export function tokenServer(deps: Deps, tokenUrl: string): Server {
  const card: RequestListener = ({ headers }, outgoing) =>
    answer(outgoing, {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(agentCard(`http://${headers.host}`)),
    });
  return createFront({
    byPath: {
      "/api/a2a": a2aListener(deps),
      "/api/token": tokenListener({
        ...deps,
        tokenUrl,
        keySets: createKeySets(),
        places: tokenPlaces(),
        falseAssertions: countFalseAssertions(() => undefined),
      }),
      // At the address of A2A 0.3 and at that of 0.2.
      "/.well-known/agent-card.json": card,
      "/.well-known/agent.json": card,
    },
    rest: (_, outgoing) => answer(outgoing, { status: 404, headers: {}, body: "" }),
    upgrades: () => false,
    onError: (error) => {
      throw error;
    },
  });
}
