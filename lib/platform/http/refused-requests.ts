import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdHeader } from "./reply.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

export type RefusedRequest = {
  readonly status: number;
  /** As the answer names it in `X-Request-Id`. */
  readonly requestId?: string | undefined;
  readonly method?: string | undefined;
  /** As it came, which is for no log. */
  readonly target?: string | undefined;
};

/** The same listener, naming each request and telling of those it refuses; for listeners that do not log their calls themselves. */
export function tellingRefusals(listener: Listener, onRefused: (refused: RefusedRequest) => void): Listener {
  return (incoming, outgoing) => {
    noteRefusedRequest(incoming, outgoing, onRefused);
    return listener(incoming, outgoing);
  };
}

/** Names this request in its answer, and tells of it once it is answered, if it was refused. */
export function noteRefusedRequest(
  { method, url: target }: IncomingMessage,
  outgoing: ServerResponse,
  onRefused: (refused: RefusedRequest) => void,
): void {
  outgoing.setHeader(requestIdHeader, randomUUID());
  outgoing.once("close", () => {
    const { statusCode: status } = outgoing;
    // Not the one above, because an answer may have named its request itself.
    const requestId = String(outgoing.getHeader(requestIdHeader));
    if (status >= 400 && status < 500) onRefused({ status, requestId, method, target });
  });
}
