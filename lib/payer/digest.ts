import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { assert } from "#lib/domain/result";
import type { Action, Digest } from "#lib/domain/task";

/** What a reviewer releases: everything that decides which bytes leave, for where. */
export type Released = {
  readonly taskId: string;
  readonly action: Action;
  readonly revision: number;
  readonly environment: "live" | "test";
  readonly routeVersion: number;
  readonly calls: readonly { readonly method: string; readonly url: string; readonly documentDigest: Digest }[];
  /** SHA-256 of each attachment, in order. */
  readonly attachments: readonly Digest[];
};

/** Lower-case hex SHA-256 of a body's exact bytes: what a payer's ledger can confirm. */
export function documentDigest(bytes: Uint8Array): Digest {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The digest a release names: lower-case hex SHA-256 of the RFC 8785 form of
 * exactly `{taskId, action, revision, environment, routeVersion, calls:
 * [{method, url, documentDigest}], attachments}`. The route's version is the
 * number under `routeVersion`. Members beyond these never enter it.
 */
export function gateDigest({
  taskId,
  action,
  revision,
  environment,
  routeVersion,
  calls,
  attachments,
}: Released): Digest {
  const text = canonicalize({
    taskId,
    action,
    revision,
    environment,
    routeVersion,
    calls: calls.map(({ method, url, documentDigest }) => ({ method, url, documentDigest })),
    attachments,
  });
  assert(text !== undefined, "a released action has a canonical form");
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/**
 * The digest of a revision: lower-case hex SHA-256 of the RFC 8785 form of
 * exactly `{serviceReview, attachments}`, from the review's own RFC 8785 bytes.
 */
export function revisionDigest(reviewBytes: Uint8Array, attachments: readonly Digest[]): Digest {
  const before = `{"attachments":${JSON.stringify(attachments)},"serviceReview":`;
  return createHash("sha256").update(before).update(reviewBytes).update("}").digest("hex");
}
