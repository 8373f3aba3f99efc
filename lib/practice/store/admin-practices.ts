import { Prisma } from "#lib/db/generated/prisma/client";
import { isOpen } from "#lib/task/model/case-states";
import type { Store, Tx } from "#lib/db/db";
import { type PracticeRecord, rowToPractice } from "#lib/practice/shared/practices";

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

/** The ids of practices that are one of these, or differ from one in capital letters alone, in small letters. */
export async function loadLikeIds(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const small = ids.map((id) => id.toLowerCase());
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`SELECT lower(id) AS id FROM practice WHERE lower(id) = ANY (${small})`;
  return new Set(rows.map(({ id }) => id));
}

/** Whether any channel reaches the practice. */
export async function hasChannel({ prisma }: Store, practiceId: string): Promise<boolean> {
  return (await prisma.channelPractice.findFirst({ where: { practiceId }, select: { channelId: true } })) !== null;
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

export async function listPracticeRecords(store: Store): Promise<readonly PracticeRecord[]> {
  const rows = await store.prisma.practice.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] });
  return rows.map(rowToPractice);
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

/** By practice, the name of a test channel that reaches it; practices that none reaches are left out. */
export async function testChannelsOf(tx: Tx, practices: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ practice: string; name: string }[]>`
    SELECT p.practice_id AS practice, min(c.name) AS name FROM channel c JOIN channel_practice p ON p.channel_id = c.id
     WHERE c.environment = 'test' AND p.practice_id = ANY (${[...practices]}::text[]) GROUP BY p.practice_id`;
  return new Map(rows.map(({ practice, name }) => [practice, name]));
}
