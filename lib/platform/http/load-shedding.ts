import type { IncomingMessage } from "node:http";

const shed = Symbol("body shed");

/** Drops what was read of a request's body, to make room for others; false where its reader does not support that. */
export function shedBody(incoming: IncomingMessage): boolean {
  return incoming.emit(shed);
}

/**
 * Calls `drop` when the body is shed. Nothing more of the body is read then, and the request is answered later, by the
 * server that shed it.
 */
export function onBodyShed(incoming: IncomingMessage, drop: () => void): void {
  incoming.once(shed, () => {
    drop();
    incoming.removeAllListeners("data").pause();
  });
}
