import type { Store } from "#lib/db/db";
import { openArchivedBytes } from "#lib/db/sealed";
import { knownWord } from "#lib/platform/known-word";
import { isUuid } from "#lib/platform/uuid";

/** The most answers of a case that are listed. */
const listedMax = 50;

const kinds = ["answer", "inquiry", "push"] as const;

/** Something the payer sent about a case. `unread` if a person must look at it as received. */
export type PayerAnswer = {
  readonly id: string;
  /** In answer to a submission, in answer to an inquiry, or a notification. */
  readonly kind: (typeof kinds)[number];
  readonly receivedAt: Date;
  readonly unread: boolean;
};

/** What the payer sent about a case, the latest first. */
export async function listPayerAnswers(
  store: Store,
  { taskId, practiceId }: { taskId: string; practiceId: string },
): Promise<readonly PayerAnswer[]> {
  const { rows } = await store.pool.query<{
    id: string;
    kind: string;
    received_at: Date;
    unread: boolean;
  }>({
    name: "list-payer-answers",
    text: `
      SELECT id, split_part(kind, '.', 1) AS kind, received_at, unread FROM payer_event
       WHERE task_id = $1 AND practice_id = $2 AND payload IS NOT NULL
         AND split_part(kind, '.', 1) IN ('answer', 'inquiry', 'push')
       ORDER BY received_at DESC, id DESC LIMIT ${listedMax}`,
    values: [taskId, practiceId],
  });
  return rows.map(({ id, kind, received_at: receivedAt, unread }) => ({
    ...{ id, receivedAt, unread },
    kind: knownWord(kinds, kind, "payer_event.kind"),
  }));
}

/** One answer, byte for byte. Undefined if these practices have none with that id. */
export async function findPayerAnswer(
  store: Store,
  { taskId, answerId, practices }: { taskId: string; answerId: string; practices: readonly string[] },
): Promise<{ readonly practiceId: string; readonly bytes: Uint8Array } | undefined> {
  if (!isUuid(taskId) || !isUuid(answerId)) return undefined;
  const row = await store.prisma.payerEvent.findFirst({
    where: {
      ...{ id: answerId, taskId, practiceId: { in: [...practices] }, payload: { not: null } },
      OR: [{ kind: { startsWith: "answer." } }, { kind: { startsWith: "inquiry." } }, { kind: { startsWith: "push" } }],
    },
  });
  if (!row?.payload) return undefined;
  const { practiceId } = row;
  const of = { row: row.id, practiceId };
  return { practiceId, bytes: await openArchivedBytes(store, "payer_event.payload", of, row.payload) };
}
