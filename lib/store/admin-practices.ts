import type { Store, Tx } from "./db.ts";

export type PracticeRecord = {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly environment: "live" | "test";
  readonly recallWindowS: number;
  readonly gateExpiryDays: number;
  /** Within how many hours somebody here is to act. */
  readonly urgentTargetH: number;
  readonly standardTargetH: number;
  readonly timeZone: string;
  /** Warnings its reviewers release over without saying why. */
  readonly notedWarnings: readonly string[];
  readonly createdAt: Date;
};

type NewPractice = Omit<PracticeRecord, "status" | "notedWarnings" | "createdAt" | "urgentTargetH" | "standardTargetH">;

/** False when the id is taken: then nothing was written. */
export async function insertPractice(tx: Tx, practice: NewPractice): Promise<boolean> {
  const { count } = await tx.practice.createMany({ data: practice, skipDuplicates: true });
  return count > 0;
}

/** The practice, held until the commit; new tasks and messages go on meanwhile. */
export async function lockPractice(tx: Tx, id: string): Promise<PracticeRecord | undefined> {
  await tx.$queryRaw`SELECT FROM practice WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

export async function updatePractice(
  tx: Tx,
  id: string,
  { notedWarnings, ...change }: Partial<Omit<PracticeRecord, "id" | "createdAt">>,
): Promise<void> {
  const noted = notedWarnings && { notedWarnings: [...notedWarnings] };
  await tx.practice.update({ where: { id }, data: { ...change, ...noted } });
}

export async function findPractice(store: Store, id: string): Promise<PracticeRecord | undefined> {
  const row = await store.prisma.practice.findUnique({ where: { id } });
  return row ? rowToPractice(row) : undefined;
}

export async function listPracticeRecords(store: Store): Promise<readonly PracticeRecord[]> {
  const rows = await store.prisma.practice.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] });
  return rows.map(rowToPractice);
}

/** Those of the ids that name no practice. */
export async function unknownPractices(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.practice.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Payers that open gates go to without any route, by hand, in the practice's own environment. */
export async function payersWithoutRoute(tx: Tx, practiceId: string): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ payer_id: string }[]>`
    SELECT DISTINCT t.payer_id FROM task t
     WHERE t.practice_id = ${practiceId} AND t.motion IN ('held', 'released')
       AND NOT EXISTS (SELECT FROM route r WHERE r.practice_id = t.practice_id AND r.payer_id = t.payer_id)`;
  return rows.map((row) => row.payer_id);
}

type Row = {
  id: string;
  name: string;
  status: string;
  environment: string;
  recallWindowS: number;
  gateExpiryDays: number;
  urgentTargetH: number;
  standardTargetH: number;
  timeZone: string;
  notedWarnings: string[];
  createdAt: Date;
};

function rowToPractice({ status, environment, ...row }: Row): PracticeRecord {
  // Safe because the table's checks allow no other words.
  return { ...row, status, environment } as PracticeRecord;
}
