import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { arrivalOfNode } from "#lib/a2a/arrival";
import type { Deps } from "#lib/a2a/call";
import { answerCall } from "#lib/a2a/serve";
import { answer } from "./front.ts";

/**
 * The endpoint on Node's own server. The adapter sees to connections that end
 * early and to bodies nobody read; body and reply go around its web streams,
 * which would cost four fifths of the calls a second.
 */
export function a2aListener(deps: Deps): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const listener = getRequestListener(
    async (_, bindings) => {
      // Safe because this listener is mounted on an HTTP/1 server only.
      const { incoming, outgoing } = bindings as HttpBindings;
      const reply = await answerCall(arrivalOfNode(incoming), deps);
      if (!outgoing.destroyed) answer(outgoing, reply);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false, hostname: "localhost" },
  );
  return listener;
}
