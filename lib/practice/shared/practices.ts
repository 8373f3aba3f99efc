import { knownWord } from "#lib/platform/known-word";
import { environments, type Environment } from "#lib/task/model/environment";
import type { KnownProvider } from "#lib/practice/model/known-provider";
import { unlistedPolicies, type UnlistedPolicy } from "#lib/practice/model/listed-payer";
import type { Store, Tx } from "#lib/db/db";

export type PracticeRecord = {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly environment: Environment;
  readonly recallWindowS: number;
  readonly gateExpiryDays: number;
  /** Within how many hours somebody here must act. */
  readonly urgentTargetH: number;
  readonly standardTargetH: number;
  readonly timeZone: string;
  /** Warnings that its reviewers may release over without an override reason. */
  readonly notedWarnings: readonly string[];
  /** Its reviewers need a second factor. */
  readonly reviewersSecondFactor: boolean;
  /** Its requests are released without a person if they go to a sandbox payer. Only of test data. */
  readonly autoReview: boolean;
  /** Its identifiers towards payers. */
  readonly npi?: string | undefined;
  readonly taxId?: string | undefined;
  /** The providers it requests services for and with; empty if it has not listed any. */
  readonly providers: readonly KnownProvider[];
  /** Everyone with a role here may sign in only through the single sign-on provider. */
  readonly ssoOnly: boolean;
  /** What becomes of a request to a payer that the directory does not list and that has no connection. */
  readonly unlistedPayers: UnlistedPolicy;
  /** What widens access waits for a second administrator. */
  readonly secondAdmin: boolean;
  /** Its administrators may open a case in an emergency. */
  readonly emergencyAccess: boolean;
  readonly createdAt: Date;
};

/** The practice, locked until the commit. New tasks and messages are not blocked. */
export async function lockPractice(tx: Tx, id: string): Promise<PracticeRecord | undefined> {
  await tx.$queryRaw`SELECT FROM practice WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

export async function findPractice(store: Store, id: string): Promise<PracticeRecord | undefined> {
  const row = await store.prisma.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

/** Those of the ids that no practice has. */
export async function listPracticeIds(store: Store): Promise<readonly string[]> {
  const rows = await store.prisma.practice.findMany({ select: { id: true }, orderBy: { id: "asc" } });
  return rows.map(({ id }) => id);
}

/** Those of these practices that are live, each locked until the commit. */
export async function livePractices(tx: Tx, practices: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string; environment: string }[]>`
    SELECT id, environment FROM practice WHERE id = ANY (${[...practices]}::text[]) ORDER BY id FOR SHARE`;
  return rows.filter(({ environment }) => environment === "live").map(({ id }) => id);
}

type Row = {
  reviewersSecondFactor: boolean;
  autoReview: boolean;
  id: string;
  name: string;
  status: string;
  environment: string;
  recallWindowS: number;
  gateExpiryDays: number;
  urgentTargetH: number;
  standardTargetH: number;
  timeZone: string;
  ssoOnly: boolean;
  secondAdmin: boolean;
  emergencyAccess: boolean;
  notedWarnings: string[];
  npi: string | null;
  taxId: string | null;
  providers: unknown;
  unlistedPayers: string;
  createdAt: Date;
};

export function rowToPractice({ status, environment, npi, taxId, providers, ...row }: Row): PracticeRecord {
  return {
    ...row,
    npi: npi ?? undefined,
    taxId: taxId ?? undefined,
    status: knownWord(["active", "suspended"], status, "practice.status"),
    environment: knownWord(environments, environment, "practice.environment"),
    unlistedPayers: knownWord(unlistedPolicies, row.unlistedPayers, "practice.unlisted_payers"),
    // Safe because only providers of this form are written.
    providers: providers as readonly KnownProvider[],
  };
}
