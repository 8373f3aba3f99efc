import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** What this sends to whoever started the server, for each request it has answered. */
export type AnsweredPage = { readonly url: string; readonly ms: number };

const began = new WeakMap<IncomingMessage, AnsweredPage>();

// Safe because Node says so of both channels: https://nodejs.org/api/diagnostics_channel.html#http
// Kept at once, because whoever answers may write another address over it.
subscribe("http.server.request.start", (message) => {
  const { request } = message as { request: IncomingMessage };
  began.set(request, { url: request.url ?? "", ms: performance.now() });
});
subscribe("http.server.response.finish", (message) => {
  const start = began.get((message as { request: IncomingMessage }).request);
  if (start) process.send?.({ url: start.url, ms: performance.now() - start.ms } satisfies AnsweredPage);
});
