import type { Logger } from "pino";
import type { Store } from "#lib/db/db";
import { type CommitStanding, readCommitStanding, type Replication } from "#lib/db/replication";

export type CommitWatch = {
  /** Looks whether a standby confirms commits, and says in the log when that changes. */
  readonly check: () => Promise<void>;
  /** Whether anything may be sent as far as replication goes. */
  readonly allows: () => boolean;
};

const texts: Readonly<Record<CommitStanding, string>> = {
  confirmed: "a standby confirms commits",
  waiting: "commits wait for a standby that is not there",
  alone: "commits wait for no standby: what is acknowledged is on one machine",
};

/** What a worker knows of replication. Without a rule it looks at nothing and allows everything. */
export function watchCommits(store: Store, { log, rule }: { log: Logger; rule: Replication }): CommitWatch {
  if (rule === "off") return { check: async () => undefined, allows: () => true };
  let known: CommitStanding | undefined;
  return {
    check: async () => {
      const standing = await readCommitStanding(store);
      if (standing === known) return;
      known = standing;
      if (standing === "confirmed") log.info(texts.confirmed);
      else if (rule === "warn") log.warn(texts[standing]);
      else log.error(`nothing is submitted: ${texts[standing]}`);
    },
    allows: () => rule !== "required" || known === "confirmed",
  };
}
