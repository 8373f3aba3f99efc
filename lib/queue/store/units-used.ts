import type { Store, Tx } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import type { LineUse } from "#lib/task/model/authorization-progress";

/** How much of an authorization is used, as a person recorded it last. */
export type UnitsUsed = {
  readonly determinationId: string;
  readonly uses: readonly LineUse[];
  readonly by: string;
  readonly at: Date;
};

type NewUse = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly determinationId: string;
  readonly personId: string;
  readonly uses: readonly LineUse[];
  readonly percent: number;
};

/** Keeps the record in place of the one before. False if another determination is in force by now. */
export async function saveUnitsUsed(tx: Tx, use: NewUse): Promise<boolean> {
  const { taskId, practiceId, determinationId, personId, uses, percent } = use;
  const sealed = sealText(tx, "units_used.units", { row: taskId, practiceId }, JSON.stringify(uses));
  const saved = await tx.$executeRaw`
    INSERT INTO units_used (task_id, practice_id, determination_id, person_id, units, percent, recorded_at)
    SELECT t.id, t.practice_id, t.determination_id, ${personId}::uuid, ${sealed}, ${percent}, clock_timestamp()
      FROM task t WHERE t.id = ${taskId}::uuid AND t.practice_id = ${practiceId}
       AND t.determination_id = ${determinationId}::uuid
    ON CONFLICT (task_id) DO UPDATE SET determination_id = excluded.determination_id, person_id = excluded.person_id,
      units = excluded.units, percent = excluded.percent, recorded_at = excluded.recorded_at`;
  return saved > 0;
}

export async function loadUnitsUsed(
  store: Store,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<UnitsUsed | undefined> {
  const { rows } = await store.pool.query<{ determination_id: string; units: Buffer; name: string; recorded_at: Date }>(
    {
      name: "load-units-used",
      text: `SELECT u.determination_id, u.units, p.name, u.recorded_at FROM units_used u JOIN person p ON p.id = u.person_id
            WHERE u.task_id = $1::uuid AND u.practice_id = $2`,
      values: [taskId, practiceId],
    },
  );
  const [row] = rows;
  if (!row) return undefined;
  // Safe because `saveUnitsUsed` alone writes this column.
  const uses = JSON.parse(openText(store, "units_used.units", { row: taskId, practiceId }, row.units)) as LineUse[];
  return { determinationId: row.determination_id, uses, by: row.name, at: row.recorded_at };
}
