import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { assert } from "#lib/platform/result";
import type { Digest } from "#lib/task/model/task";

/** The RFC 8785 form of a JSON value, in UTF-8. The value must hold no lone surrogate and only finite numbers. */
export function canonicalBytes(value: unknown): Uint8Array {
  const text = canonicalize(value);
  assert(text !== undefined, "a JSON value has a canonical form");
  return Buffer.from(text, "utf8");
}

/** Lower-case hex SHA-256. */
export function sha256(bytes: Uint8Array): Digest {
  return hash("sha256", bytes);
}
