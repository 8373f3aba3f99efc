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

/** The members of a JSON object, each in its RFC 8785 form. */
export type CanonicalMembers = ReadonlyMap<string, string>;

export function canonicalMembers(object: object): CanonicalMembers {
  return new Map(
    Object.entries(object).flatMap(([name, value]) => {
      const text = canonicalize(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** The RFC 8785 form of the object that has these members, in UTF-8: sorted by the UTF-16 code units of their names. */
export function bytesOfMembers(members: CanonicalMembers): Uint8Array {
  const names = [...members.keys()].sort();
  return Buffer.from(`{${names.map((name) => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`, "utf8");
}

/** Lower-case hex SHA-256. */
export function sha256(bytes: Uint8Array): Digest {
  return hash("sha256", bytes);
}
