import { randomUUID } from "node:crypto";
import { nowMs } from "#lib/platform/now";

/**
 * An id for a new row: a UUID of version 7 (RFC 9562, 5.7), so that rows lie in
 * their tables in the order they were made, to the millisecond. The rest is
 * random, from Node's own store of random bytes, which costs no system call each.
 */
export function newId(): string {
  const time = Math.floor(nowMs()).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
