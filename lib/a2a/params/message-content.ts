import type { Digest } from "#lib/task/model/task";
import { bytesOfMembers, canonicalBytes, canonicalMembers, sha256, type CanonicalMembers } from "./canonical.ts";

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
