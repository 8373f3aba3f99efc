import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { openText, sealText } from "#lib/db/sealed";

/** A note about a case, from one reviewer to the others. */
export type CaseNote = { readonly id: string; readonly text: string; readonly by: string; readonly at: Date };

/** The most notes of a case that are shown; the latest are. */
const notesMax = 100;

type NewNote = {
  readonly id: string;
  readonly taskId: string;
  readonly practices: readonly string[];
  readonly personId: string;
  readonly text: string;
};

/** `kept` is false if this person wrote exactly this note before. Undefined if the person may not write one. */
export async function insertCaseNote(
  tx: Tx,
  { id, taskId, practices, personId, text }: NewNote,
): Promise<{ practiceId: string; kept: boolean } | undefined> {
  if (!isUuid(taskId) || !isUuid(id)) return undefined;
  const where = { id: taskId, practiceId: { in: [...practices] } };
  const task = await tx.task.findFirst({ where, select: { practiceId: true } });
  if (!task) return undefined;
  const { practiceId } = task;
  const sealed = sealText(tx, "case_note.text", { row: id, practiceId }, text);
  const inserted = await tx.$executeRaw`
    INSERT INTO case_note (id, task_id, practice_id, person_id, text, at)
    VALUES (${id}::uuid, ${taskId}::uuid, ${practiceId}, ${personId}::uuid, ${sealed}, clock_timestamp())
    ON CONFLICT (id) DO NOTHING`;
  if (inserted > 0) return { practiceId, kept: true };
  const own = await tx.caseNote.count({ where: { id, taskId, personId } });
  return own > 0 ? { practiceId, kept: false } : undefined;
}

/** The notes of a case, oldest first. */
export async function loadCaseNotes(
  store: Store,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<readonly CaseNote[]> {
  const { rows } = await store.pool.query<{ id: string; text: Buffer; name: string; at: Date }>({
    name: "load-case-notes",
    text: `SELECT n.id, n.text, p.name, n.at FROM case_note n JOIN person p ON p.id = n.person_id
            WHERE n.task_id = $1::uuid AND n.practice_id = $2 ORDER BY n.at DESC, n.id DESC LIMIT $3`,
    values: [taskId, practiceId, notesMax],
  });
  return rows
    .map(({ id, text, name, at }) => ({
      id,
      text: openText(store, "case_note.text", { row: id, practiceId }, text),
      by: name,
      at,
    }))
    .toReversed();
}
