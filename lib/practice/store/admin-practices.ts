import { Prisma } from "#lib/db/generated/prisma/client";
import { knownWord } from "#lib/platform/known-word";
import { environments, type Environment } from "#lib/task/model/environment";
import type { KnownProvider } from "#lib/practice/model/known-provider";
import { unlistedPolicies, type UnlistedPolicy } from "#lib/practice/model/listed-payer";
import { isOpen } from "#lib/task/store/case-states";
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

export type NewPractice = Pick<
  PracticeRecord,
  "id" | "name" | "environment" | "recallWindowS" | "gateExpiryDays" | "timeZone"
> & {
  readonly npi?: string | null;
  readonly taxId?: string | null;
  readonly urgentTargetH?: number;
  readonly standardTargetH?: number;
};

/** False if the id is taken; then nothing was written. */
export async function insertPractice(tx: Tx, practice: NewPractice): Promise<boolean> {
  const { count } = await tx.practice.createMany({ data: practice, skipDuplicates: true });
  return count > 0;
}

/** The practice, locked until the commit. New tasks and messages are not blocked. */
export async function lockPractice(tx: Tx, id: string): Promise<PracticeRecord | undefined> {
  await tx.$queryRaw`SELECT FROM practice WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

/** Null removes an identifier. */
export type PracticeChange = Partial<Omit<PracticeRecord, "id" | "createdAt" | "npi" | "taxId">> & {
  readonly npi?: string | null | undefined;
  readonly taxId?: string | null | undefined;
};

export async function updatePractice(
  tx: Tx,
  id: string,
  { notedWarnings, providers, npi, taxId, ...change }: PracticeChange,
): Promise<void> {
  const ids = { ...(npi === undefined ? {} : { npi }), ...(taxId === undefined ? {} : { taxId }) };
  const noted = notedWarnings && { notedWarnings: [...notedWarnings] };
  const known = providers && { providers: providers.map(({ roles, ...each }) => ({ ...each, roles: [...roles] })) };
  await tx.practice.update({ where: { id }, data: { ...change, ...ids, ...noted, ...known } });
}

export async function findPractice(store: Store, id: string): Promise<PracticeRecord | undefined> {
  const row = await store.prisma.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

export async function listPracticeRecords(store: Store): Promise<readonly PracticeRecord[]> {
  const rows = await store.prisma.practice.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] });
  return rows.map(rowToPractice);
}

/** Those of the ids that no practice has. */
export async function listPracticeIds(store: Store): Promise<readonly string[]> {
  const rows = await store.prisma.practice.findMany({ select: { id: true }, orderBy: { id: "asc" } });
  return rows.map(({ id }) => id);
}

export async function unknownPractices(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.practice.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/**
 * Payers of open gates that have no payer connection, so that the case is submitted manually, in the practice's own
 * environment.
 */
export async function payersWithoutRoute(tx: Tx, practiceId: string): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ payer_id: string }[]>`
    SELECT DISTINCT t.payer_id FROM task t
     WHERE t.practice_id = ${practiceId} AND t.stage IN ('held', 'released') AND ${Prisma.raw(isOpen)}
       AND NOT EXISTS (SELECT FROM route r WHERE r.practice_id = t.practice_id AND r.payer_id = t.payer_id)`;
  return rows.map((row) => row.payer_id);
}

/** Those of these practices that are live, each locked until the commit. */
export async function livePractices(tx: Tx, practices: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string; environment: string }[]>`
    SELECT id, environment FROM practice WHERE id = ANY (${[...practices]}::text[]) ORDER BY id FOR SHARE`;
  return rows.filter(({ environment }) => environment === "live").map(({ id }) => id);
}

/** By practice, the name of a test channel that reaches it; practices that none reaches are left out. */
export async function testChannelsOf(tx: Tx, practices: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ practice: string; name: string }[]>`
    SELECT p.practice_id AS practice, min(c.name) AS name FROM channel c JOIN channel_practice p ON p.channel_id = c.id
     WHERE c.environment = 'test' AND p.practice_id = ANY (${[...practices]}::text[]) GROUP BY p.practice_id`;
  return new Map(rows.map(({ practice, name }) => [practice, name]));
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

function rowToPractice({ status, environment, npi, taxId, providers, ...row }: Row): PracticeRecord {
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
