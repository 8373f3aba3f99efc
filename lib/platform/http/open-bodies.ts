import type { IncomingMessage } from "node:http";
import { senderOf } from "./client-address.ts";

/** How many bodies may be on their way at once, and the bytes they may come to. */
type BodyLimit = { readonly bodies: number; readonly bytes: number };

export type OpenBodiesOptions = {
  readonly each?: BodyLimit;
  readonly all?: BodyLimit;
  readonly addressOf: (incoming: IncomingMessage) => string | undefined;
  /** Ends a request whose body must give way. */
  readonly giveUp: (incoming: IncomingMessage) => void;
};

/** Of one network address; 128 bodies of a call's full length. */
const eachMax: BodyLimit = { bodies: 256, bytes: 128 * 1024 * 1024 };

/** Of all together. */
const allMax: BodyLimit = { bodies: 4_096, bytes: 512 * 1024 * 1024 };

type Open = { readonly incoming: IncomingMessage; readonly bytes: number };
type Address = { readonly open: Set<Open>; bytes: number };

/**
 * Watches bodies that are not whole yet, which anybody may send without showing who they are. A new one is always let
 * begin: where its address has too many on their way, the one that began first gives way, and where all have, one of the
 * address that has most. So whoever sends promptly is never refused for those who do not.
 */
export function watchOpenBodies({ each = eachMax, all = allMax, addressOf, giveUp }: OpenBodiesOptions) {
  const addresses = new Map<string, Address>();
  const total = { bodies: 0, bytes: 0 };

  function leave(from: string, open: Open): void {
    const address = addresses.get(from);
    if (!address?.open.delete(open)) return;
    address.bytes -= open.bytes;
    total.bodies -= 1;
    total.bytes -= open.bytes;
    if (address.open.size === 0) addresses.delete(from);
  }

  /** Those that are whole meanwhile leave on the way, and give way to nobody. */
  function endFirst(from: string, address: Address): void {
    const [first] = address.open;
    if (!first) return;
    leave(from, first);
    if (!first.incoming.complete && !first.incoming.destroyed) giveUp(first.incoming);
  }

  function endOneOfMost(): void {
    const most = [...addresses].reduce((best, one) => (one[1].bytes > best[1].bytes ? one : best));
    endFirst(...most);
  }

  /** `bytesMax`: no more of it is read before it is known whose it is. */
  return (incoming: IncomingMessage, bytesMax: number): void => {
    const bytes = Math.min(bytesToCome(incoming), bytesMax);
    if (bytes === 0) return;
    const from = senderOf(addressOf(incoming) ?? "");
    const open = { incoming, bytes };
    const address = addresses.get(from) ?? { open: new Set(), bytes: 0 };
    addresses.set(from, address);
    address.open.add(open);
    address.bytes += bytes;
    total.bodies += 1;
    total.bytes += bytes;
    incoming.once("close", () => leave(from, open));
    while (address.open.size > 1 && isOver({ bodies: address.open.size, bytes: address.bytes }, each))
      endFirst(from, address);
    while (total.bodies > 1 && isOver(total, all)) endOneOfMost();
  };
}

function isOver(held: BodyLimit, most: BodyLimit): boolean {
  return held.bodies > most.bodies || held.bytes > most.bytes;
}

function bytesToCome({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}
