import canonicalize from "canonicalize";
import { hash } from "node:crypto";
import { assert } from "#lib/platform/result";
import type { Digest } from "#lib/task/model/task";

/** The RFC 8785 form of a JSON value, in UTF-8. The value must hold no lone surrogate and only finite numbers. */
export function canonicalBytes(value: unknown): Uint8Array {
  const text = canonicalize(value);
  assert(text !== undefined, "a JSON value has a canonical form");
  return Buffer.from(text, "utf8");
}

/** The members of a JSON object, each in its RFC 8785 form. */
type CanonicalMembers = ReadonlyMap<string, string>;

function canonicalMembers(object: object): CanonicalMembers {
  return new Map(
    Object.entries(object).flatMap(([name, value]) => {
      const text = canonicalize(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

/** The RFC 8785 form of the object that has these members, in UTF-8: sorted by the UTF-16 code units of their names. */
function bytesOfMembers(members: CanonicalMembers): Uint8Array {
  const names = [...members.keys()].sort();
  return Buffer.from(`{${names.map((name) => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`, "utf8");
}

/** Lower-case hex SHA-256. */
export function sha256(bytes: Uint8Array): Digest {
  return hash("sha256", bytes);
}

const contentMembers: ReadonlySet<string> = new Set(["role", "parts", "taskId", "messageId", "referenceTaskIds"]);

/** The RFC 8785 form of an accepted message, and the digest of its content. */
export function canonicalMessage(message: object): { readonly body: Uint8Array; readonly contentDigest: Digest } {
  const members = canonicalMembers(message);
  const body = bytesOfMembers(members);
  return { body, contentDigest: digestOf(message, { members, body }) };
}

/**
 * SHA-256 of what makes it this message. A client may add its own notes, or the context it learned, when it sends it
 * again. The message was accepted by its schema; `body` is its RFC 8785 form.
 */
export function contentDigest(message: object, body: Uint8Array): Digest {
  return isBare(message) ? sha256(body) : canonicalMessage(message).contentDigest;
}

/** Each part is written in order once, unless it has notes of the client. */
function digestOf(message: object, { members, body }: { members: CanonicalMembers; body: Uint8Array }): Digest {
  if (isBare(message)) return sha256(body);
  if (hasNotes(message)) return sha256(canonicalBytes(contentOf(message)));
  return sha256(bytesOfMembers(new Map([...members].filter(([name]) => contentMembers.has(name)))));
}

/** Whether nothing is in it but what makes it this message. */
function isBare(message: object): boolean {
  return Object.keys(message).every((name) => contentMembers.has(name)) && !hasNotes(message);
}

function hasNotes(message: object): boolean {
  return partsOf(message).some((part) => Object.hasOwn(part, "metadata"));
}

function contentOf(message: object): object {
  const members = Object.entries(message).filter(([name]) => contentMembers.has(name));
  const parts = partsOf(message).map((part) =>
    Object.fromEntries(Object.entries(part).filter(([name]) => name !== "metadata")),
  );
  return { ...Object.fromEntries(members), parts };
}

/** Safe because the schema has accepted the message. */
function partsOf(message: object): readonly object[] {
  return (message as { readonly parts: readonly object[] }).parts;
}
