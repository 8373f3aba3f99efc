import type { IncomingMessage } from "node:http";

const givesWay = Symbol("gives way");

/** Tells whoever reads a request's body that it gives way to others; false where nobody listens for it. */
export function askToGiveWay(incoming: IncomingMessage): boolean {
  return incoming.emit(givesWay);
}

/** Lets go of what has come of a body once it must give way; nothing more of it is read, and its answer comes later. */
export function whenGivingWay(incoming: IncomingMessage, letGo: () => void): void {
  incoming.once(givesWay, () => {
    letGo();
    incoming.removeAllListeners("data").pause();
  });
}
