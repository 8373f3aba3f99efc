import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { arrivalOfNode, type Arrival } from "#lib/platform/http/arrival";
import type { Deps } from "./call.ts";
import type { Reply } from "#lib/platform/http/reply";
import { answerCall } from "./serve.ts";
import { answerPush, routeIdIn, type PushDeps } from "#lib/payer/inbox/serve";
import { answerToken, type TokenDeps } from "#lib/channel/token/serve";
import { compressed } from "#lib/platform/http/compressed";
import { answer } from "#lib/platform/http/front";

/**
 * The endpoint on Node's own server. The adapter handles connections that end early and bodies that were not read. Body
 * and reply bypass its web streams, which would cost four fifths of the calls per second.
 */
export function a2aListener(deps: Deps): Listener {
  return replyListener(async (arrival, incoming) =>
    compressed(await answerCall(arrival, deps), incoming.headers["accept-encoding"]),
  );
}

/** The address to which payers send notifications, on Node's own server. */
export function pushListener(deps: PushDeps): Listener {
  return replyListener((arrival, incoming) => answerPush(arrival, routeIdIn(incoming.url ?? ""), deps));
}

/** The token endpoint for clients that sign assertions (RFC 7523), on Node's own server. */
export function tokenListener(deps: TokenDeps): Listener {
  return replyListener((arrival) => answerToken(arrival, deps));
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

function replyListener(reply: (arrival: Arrival, incoming: IncomingMessage) => Promise<Reply>): Listener {
  return getRequestListener(
    async (_, bindings) => {
      // Safe because this listener is mounted on an HTTP/1 server only.
      const { incoming, outgoing } = bindings as HttpBindings;
      const replied = await reply(arrivalOfNode(incoming), incoming);
      if (!outgoing.destroyed) answer(outgoing, replied);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false, hostname: "localhost" },
  );
}
