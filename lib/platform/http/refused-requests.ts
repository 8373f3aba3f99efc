import type { IncomingMessage, ServerResponse } from "node:http";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

export type RefusedRequest = {
  readonly status: number;
  readonly method?: string | undefined;
  /** As it came, which is for no log. */
  readonly target?: string | undefined;
};

/** The same listener, telling of each request it refuses; for listeners that do not log their calls themselves. */
export function tellingRefusals(listener: Listener, onRefused: (refused: RefusedRequest) => void): Listener {
  return (incoming, outgoing) => {
    noteRefusedRequest(incoming, outgoing, onRefused);
    return listener(incoming, outgoing);
  };
}

/** Tells of this request once it is answered, if it was refused. */
export function noteRefusedRequest(
  { method, url: target }: IncomingMessage,
  outgoing: ServerResponse,
  onRefused: (refused: RefusedRequest) => void,
): void {
  outgoing.once("close", () => {
    const { statusCode: status } = outgoing;
    if (status >= 400 && status < 500) onRefused({ status, method, target });
  });
}
