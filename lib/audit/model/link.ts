import { createHash } from "node:crypto";

/** One entry of a chain as stored. A purged entry has its place and its hashes alone. */
export type Link = {
  readonly seq: number;
  /** In UTC with microseconds, in the exact form that the hash covers. */
  readonly at: string;
  readonly actor: string;
  readonly act: string;
  readonly taskId: string | null;
  readonly detail: string;
  /** Null for a purged entry. */
  readonly salt: string | null;
  readonly contentHash: string;
  readonly prevHash: string;
  readonly hash: string;
};

/** The act of an entry whose content the retention rule removed. */
const purgedAct = "purged";

export function isPurged({ act, actor }: Pick<Link, "act" | "actor">): boolean {
  return act === purgedAct && actor === "";
}

/** Whether the content matches its hash and the link matches both. Of a purged entry only the link can be checked. */
export function isIntact(chain: string, link: Link): boolean {
  const isIntact = isPurged(link) || contentHash(link) === link.contentHash;
  return isIntact && linkHash(chain, link) === link.hash;
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
