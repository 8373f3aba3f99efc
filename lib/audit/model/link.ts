import { createHash } from "node:crypto";

/** One entry of a chain as it is kept. Purged, it has its place and its hashes alone. */
export type Link = {
  readonly seq: number;
  /** In UTC to the microsecond, as the hash covers it. */
  readonly at: string;
  readonly actor: string;
  readonly act: string;
  readonly taskId: string | null;
  readonly detail: string;
  /** Null on what was purged. */
  readonly salt: string | null;
  readonly contentHash: string;
  readonly prevHash: string;
  readonly hash: string;
};

/** What stands in an entry whose content went by the policy of retention. */
const purgedAct = "purged";

export function isPurged({ act, actor }: Pick<Link, "act" | "actor">): boolean {
  return act === purgedAct && actor === "";
}

/** Whether content, hash of the content and link belong together; of what was purged, as much as is left of it. */
export function isIntact(chain: string, link: Link): boolean {
  const holds = isPurged(link) || contentHash(link) === link.contentHash;
  return holds && linkHash(chain, link) === link.hash;
}

function contentHash({ salt, at, actor, act, taskId, detail }: Link): string {
  return hashOf(["audit-content-2", salt ?? "", at, actor, act, taskId ?? "-", detail]);
}

function linkHash(chain: string, { prevHash, seq, contentHash: content }: Link): string {
  return hashOf(["audit-link-2", prevHash, chain, String(seq), content]);
}

function hashOf(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n"), "utf8").digest("hex");
}
