import type { Store } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import type { Action, Digest } from "#lib/task/model/task";
import { actions } from "#lib/task/model/vote-rule";

type Row = {
  action: string;
  revision: number;
  digest: Digest;
  status: string;
  is_current: boolean;
  answer: string;
  claimable_at: Date | null;
  now: Date;
};

/** What somebody answered at one gate, and whether it still stands there. */
export type AnswerAtGate = {
  readonly action: Action;
  readonly revision: number;
  readonly digest: Digest;
  /** Of the gate; undefined where the case has gone on to another gate. */
  readonly status?: string | undefined;
  readonly answer: string;
  /** When what was released may be claimed; undefined once it has been. */
  readonly claimableAt?: Date | undefined;
  readonly now: Date;
};

/** Undefined if they answered nothing at this gate, or if these practices have none such. */
export async function loadAnswerAtGate(
  store: Store,
  of: {
    readonly taskId: string;
    readonly gateId: string;
    readonly personId: string;
    readonly practices: readonly string[];
  },
): Promise<AnswerAtGate | undefined> {
  const { rows } = await store.pool.query<Row>({
    name: "answer-at-gate",
    text: `
      SELECT g.action, g.revision, g.digest, g.status, t.gate_id = g.id AS is_current, v.answer, clock_timestamp() AS now,
             CASE WHEN t.stage = 'released' AND t.gate_id = g.id THEN x.claimable_at END AS claimable_at
        FROM gate g JOIN task t ON t.id = g.task_id AND t.practice_id = g.practice_id
        JOIN vote v ON v.gate_id = g.id AND v.person_id = $3::uuid
        LEFT JOIN transmission x ON x.gate_id = g.id
       WHERE g.id = $1::uuid AND g.task_id = $2::uuid AND g.practice_id = ANY ($4::text[])`,
    values: [of.gateId, of.taskId, of.personId, of.practices],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { revision, digest, answer, now } = row;
  return {
    action: knownWord(actions, row.action, "gate.action"),
    ...{ revision, digest, answer, now },
    status: row.is_current ? row.status : undefined,
    claimableAt: row.claimable_at ?? undefined,
  };
}
