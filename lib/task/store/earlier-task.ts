import type { EarlierAuthorization } from "#lib/task/model/renewal";
import { outcomes, type Outcome } from "#lib/task/model/task";
import { knownWord } from "#lib/platform/known-word";
import { type Db, prismaOf, type Store } from "#lib/db/db";
import { keysOf } from "#lib/db/practice-keys";
import { environments } from "#lib/task/model/environment";
import { isUuid } from "#lib/platform/uuid";
import { openDetermination } from "./task-rows.ts";

/** A case that another one may renew or extend. */
export type EarlierTask = EarlierAuthorization & {
  readonly contextId: string;
  readonly payerId: string;
  /** What the payer decided; absent where it has not, or voided the case. */
  readonly outcome?: Outcome | undefined;
};

type Row = {
  context_id: string;
  payer_id: string;
  voided: string | null;
  determination_id: string | null;
  outcome: string | null;
  environment: string | null;
  document: Uint8Array | null;
};

/** The case with this id where it is one of the practice. */
export async function loadEarlierTask(
  db: Db,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<EarlierTask | undefined> {
  if (!isUuid(taskId)) return undefined;
  const [row] = await prismaOf(db).$queryRaw<Row[]>`
    SELECT t.context_id, t.payer_id, t.voided, d.id AS determination_id, d.outcome, d.environment, d.document
      FROM task t LEFT JOIN determination d ON d.id = t.determination_id
     WHERE t.id = ${taskId}::uuid AND t.practice_id = ${practiceId}`;
  if (!row) return undefined;
  await keysOf(db)?.ready([practiceId]);
  const of = row.determination_id && row.document ? { id: row.determination_id, practiceId } : undefined;
  const determination = of && row.document ? openDetermination(db, row.document, of) : undefined;
  return {
    taskId,
    contextId: row.context_id,
    payerId: row.payer_id,
    outcome:
      row.voided === null && row.outcome !== null
        ? knownWord(outcomes, row.outcome, "determination.outcome")
        : undefined,
    authorizationNumber: determination?.authorizationNumber,
    environment:
      row.environment === null ? undefined : knownWord(environments, row.environment, "determination.environment"),
  };
}

/** The cases of the practice that renew or extend this one, the oldest first. */
export async function loadLaterTasks(
  { prisma }: Store,
  { taskId, practiceId }: { readonly taskId: string; readonly practiceId: string },
): Promise<readonly string[]> {
  const later = await prisma.task.findMany({
    where: { earlierTaskId: taskId, practiceId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return later.map(({ id }) => id);
}
