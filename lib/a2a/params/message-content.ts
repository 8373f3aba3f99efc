import type { Digest } from "#lib/task/model/task";
import { canonicalBytes, sha256 } from "./canonical.ts";

const contentMembers: readonly string[] = ["role", "parts", "taskId", "messageId", "referenceTaskIds"];

/**
 * SHA-256 of what makes it this message. A client may add its own notes, or the context it learned, when it sends it
 * again. `body` is the RFC 8785 form of all of it; the message was accepted by its schema.
 */
export function contentDigest(message: object, body: Uint8Array): Digest {
  // Most are written in order once.
  return sha256(isBare(message) ? body : canonicalBytes(contentOf(message)));
}

/** Whether nothing is in it but what makes it this message. */
function isBare(message: object): boolean {
  if (Object.keys(message).some((name) => !contentMembers.includes(name))) return false;
  return partsOf(message).every((part) => !Object.hasOwn(part, "metadata"));
}

function contentOf(message: object): object {
  const members = Object.entries(message).filter(([name]) => contentMembers.includes(name));
  const parts = partsOf(message).map((part) =>
    Object.fromEntries(Object.entries(part).filter(([name]) => name !== "metadata")),
  );
  return { ...Object.fromEntries(members), parts };
}

/** Safe because the schema has accepted the message. */
function partsOf(message: object): readonly object[] {
  return (message as { readonly parts: readonly object[] }).parts;
}
