import { createHash, hash } from "node:crypto";
import type { Action, Digest } from "#lib/task/model/task";

/** What a reviewer releases: everything that determines which bytes are sent, and where. */
export type ReleasedContent = {
  readonly taskId: string;
  readonly action: Action;
  readonly revision: number;
  readonly environment: "live" | "test";
  readonly routeVersion: number;
  readonly calls: readonly { readonly method: string; readonly url: string; readonly documentDigest: Digest }[];
  /** SHA-256 of each attachment, in order. */
  readonly attachments: readonly Digest[];
};

/** Lower-case hex SHA-256 of a body's exact bytes, which the payer can confirm. */
export function documentDigest(bytes: Uint8Array): Digest {
  return hash("sha256", bytes);
}

/**
 * The digest that a release names: lower-case hex SHA-256 of the RFC 8785 form of exactly `{taskId, action, revision,
 * environment, routeVersion, calls: [{method, url, documentDigest}], attachments}`. No other member is ever part of it.
 */
export function gateDigest({
  taskId,
  action,
  revision,
  environment,
  routeVersion,
  calls,
  attachments,
}: ReleasedContent): Digest {
  // The members are in the order of RFC 8785; for strings and whole numbers JSON.stringify already writes its form.
  const text = JSON.stringify({
    action,
    attachments,
    calls: calls.map(({ method, url, documentDigest }) => ({ documentDigest, method, url })),
    environment,
    revision,
    routeVersion,
    taskId,
  });
  return hash("sha256", text);
}

/**
 * The digest of a revision: lower-case hex SHA-256 of the RFC 8785 form of
 * exactly `{serviceReview, attachments}`, from the review's own RFC 8785 bytes.
 */
export function revisionDigest(reviewBytes: Uint8Array, attachments: readonly Digest[]): Digest {
  const before = `{"attachments":${JSON.stringify(attachments)},"serviceReview":`;
  return createHash("sha256").update(before).update(reviewBytes).update("}").digest("hex");
}
