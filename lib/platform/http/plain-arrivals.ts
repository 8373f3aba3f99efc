import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tellHost, type ForwardingTrust } from "./addressed.ts";
import { frontHeader, tellArrival } from "./arrival-headers.ts";
import { noteRefusedRequest, type RefusedRequest } from "./refused-requests.ts";

type Options = Pick<ForwardingTrust, "proxies"> & { readonly onRefused: (refused: RefusedRequest) => void };

/** These log their calls themselves. */
const ownLog = /^\/api\/a2a(?:[/?]|$)/;

/**
 * Under plain Next: sees each request as it arrives, before Next does, and tells its arrival as `server.ts` would. What a
 * stranger's request says of the front, of the page's policy or of its way here is gone then.
 */
export function tellPlainArrivals({ proxies, onRefused }: Options): void {
  // Node's built-in channel: published for every request, before any listener of the server (Node 24, "Diagnostics Channel").
  subscribe("http.server.request.start", (message) => {
    // Safe because this is what Node's documentation says the channel publishes.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    tellArrival(request);
    tellHost(request, { proxies });
    delete request.headers[frontHeader];
    delete request.headers["content-security-policy"];
    if (!ownLog.test(request.url ?? "")) noteRefusedRequest(request, response, onRefused);
  });
}
