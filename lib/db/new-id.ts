import { randomUUID } from "node:crypto";
import { nowMs } from "#lib/platform/now";

/**
 * Which cell an id was made in: a whole service with a database of its own, for a part of the practices. There is one
 * cell, so these are constants; the places are reserved so that an edge can tell cells by an id alone.
 */
export const cell = {
  /** The twelve bits of a UUID of version 7 after its version, as hexadecimal digits. */
  inUuids: "000",
  /** The first two characters of the id of a key or a client. */
  inPublicIds: "AA",
} as const;

/**
 * An id for a new row: a UUID of version 7 (RFC 9562, 5.7), so that rows lie in
 * their tables in the order they were made, to the millisecond. Twelve bits name the
 * cell it was made in, and the other 62 are random, from Node's own store of random
 * bytes, which costs no system call each.
 */
export function newId(): string {
  const time = Math.floor(nowMs()).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${cell.inUuids}${randomUUID().slice(18)}`;
}
