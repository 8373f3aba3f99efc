import type { Reach } from "#lib/access/model/actor";
import { type Db, query, type Store, type Tx } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";

export type EmergencyAccess = {
  readonly id: string;
  readonly taskId: string;
  readonly practiceId: string;
  readonly practiceName: string;
  readonly by: { readonly id: string; readonly name: string };
  readonly reason: string;
  readonly openedAt: Date;
  readonly expiresAt: Date;
  /** The case can still be read by whoever opened it. */
  readonly isOpen: boolean;
};

type NewAccess = Pick<EmergencyAccess, "id" | "taskId" | "practiceId" | "reason"> & { readonly personId: string };

/** Opens a case for this many minutes, and returns until when. */
export async function insertEmergencyAccess(
  { tx, store }: { readonly tx: Tx; readonly store: Store },
  { id, taskId, practiceId, personId, reason }: NewAccess,
  minutes: number,
): Promise<Date> {
  await store.keys.ready([practiceId]);
  const [row] = await tx.$queryRawUnsafe<{ expires_at: Date }[]>(
    `INSERT INTO emergency_access (id, task_id, practice_id, person_id, reason, expires_at)
     VALUES ($1::uuid, $2::uuid, $3, $4::uuid, $5, clock_timestamp() + make_interval(mins => $6::int)) RETURNING expires_at`,
    id,
    taskId,
    practiceId,
    personId,
    sealText(tx, "emergency_access.reason", { row: id, practiceId }, reason),
    minutes,
  );
  if (!row) throw new Error("A row that is inserted is returned.");
  return row.expires_at;
}

/** How many accesses to cases of the practice the person has open, of one case twice too; whoever asks for the same person waits until the commit. */
export async function lockOpenAccesses(
  tx: Tx,
  { practiceId, personId }: { readonly practiceId: string; readonly personId: string },
): Promise<number> {
  await tx.$queryRaw`SELECT id FROM person WHERE id = ${personId}::uuid FOR NO KEY UPDATE`;
  const [row] = await tx.$queryRaw<{ accesses: number }[]>`
    SELECT count(*)::int AS accesses FROM emergency_access
     WHERE practice_id = ${practiceId} AND person_id = ${personId}::uuid AND expires_at > clock_timestamp()`;
  return row?.accesses ?? 0;
}

/** The ids of the practice's cases with this id, whole or short. Two have the same short id only by rare chance. */
export async function tasksCalled(tx: Tx, practiceId: string, caseId: string): Promise<readonly string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    "SELECT id FROM task WHERE practice_id = $1 AND short_id = $2 AND ($3 = '' OR id::text = $3) LIMIT 2",
    practiceId,
    caseId.slice(-8).toLowerCase(),
    caseId.length > 8 ? caseId.toLowerCase() : "",
  );
  return rows.map(({ id }) => id);
}

/** The most that a page lists. */
const listedMax = 100;

type Row = {
  id: string;
  task_id: string;
  practice_id: string;
  practice_name: string;
  person_id: string;
  person_name: string;
  reason: Uint8Array;
  opened_at: Date;
  expires_at: Date;
  is_open: boolean;
};

const columns = `e.id, e.task_id, e.practice_id, pr.name AS practice_name, e.person_id, p.name AS person_name, e.reason,
  e.opened_at, e.expires_at, e.expires_at > clock_timestamp() AND pr.emergency_access AS is_open
  FROM emergency_access e JOIN practice pr ON pr.id = e.practice_id JOIN person p ON p.id = e.person_id`;

/** The emergency accesses of these practices, the latest first. */
export async function loadEmergencyAccesses(store: Store, practices: Reach): Promise<readonly EmergencyAccess[]> {
  const rows = await query<Row>(store, {
    name: "emergency-accesses",
    text: `SELECT ${columns} WHERE $1::text[] IS NULL OR e.practice_id = ANY ($1::text[]) ORDER BY e.opened_at DESC LIMIT ${listedMax}`,
    values: [practices === "every" ? null : practices],
  });
  await store.keys.ready([...new Set(rows.map((row) => row.practice_id))]);
  return rows.map((row) => rowToAccess(store, row));
}

/** The person's access to the case that lasts longest, if one is open and its practice still allows it. */
export async function findOpenEmergencyAccess(
  store: Store,
  { taskId, personId }: { readonly taskId: string; readonly personId: string },
): Promise<EmergencyAccess | undefined> {
  const [row] = await query<Row>(store, {
    name: "open-emergency-access",
    text: `SELECT ${columns} WHERE e.task_id = $1::uuid AND e.person_id = $2::uuid AND e.expires_at > clock_timestamp()
              AND pr.emergency_access
            ORDER BY e.expires_at DESC LIMIT 1`,
    values: [taskId, personId],
  });
  if (!row) return undefined;
  await store.keys.ready([row.practice_id]);
  return rowToAccess(store, row);
}

function rowToAccess(db: Db, row: Row): EmergencyAccess {
  return {
    id: row.id,
    taskId: row.task_id,
    practiceId: row.practice_id,
    practiceName: row.practice_name,
    by: { id: row.person_id, name: row.person_name },
    reason: openText(db, "emergency_access.reason", { row: row.id, practiceId: row.practice_id }, row.reason),
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    isOpen: row.is_open,
  };
}
