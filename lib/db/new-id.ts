import { randomUUID } from "node:crypto";
import { cell } from "./cell.ts";
import { nowMs } from "#lib/platform/now";

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
