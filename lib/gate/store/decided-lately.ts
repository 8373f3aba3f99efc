import type { Store } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import type { Action, Digest } from "#lib/task/model/task";
import { actions } from "#lib/task/model/vote-rule";

type Row = {
  task_id: string;
  gate_id: string;
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
  readonly taskId: string;
  readonly gateId: string;
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

/** Those of these gates where they answered, and which these practices have. */
export async function loadAnswersAtGates(
  store: Store,
  of: {
    readonly places: readonly { readonly taskId: string; readonly gateId: string }[];
    readonly personId: string;
    readonly practices: readonly string[];
  },
): Promise<readonly AnswerAtGate[]> {
  const { rows } = await store.pool.query<Row>({
    name: "answers-at-gates",
    text: `
      SELECT g.task_id, g.id AS gate_id, g.action, g.revision, g.digest, g.status, t.gate_id = g.id AS is_current, v.answer, clock_timestamp() AS now,
             CASE WHEN t.stage = 'released' AND t.gate_id = g.id THEN x.claimable_at END AS claimable_at
        FROM gate g JOIN task t ON t.id = g.task_id AND t.practice_id = g.practice_id
        JOIN vote v ON v.gate_id = g.id AND v.person_id = $3::uuid
        LEFT JOIN transmission x ON x.gate_id = g.id
       WHERE g.id = ANY ($1::uuid[]) AND g.task_id = ANY ($2::uuid[]) AND g.practice_id = ANY ($4::text[])`,
    values: [of.places.map(({ gateId }) => gateId), of.places.map(({ taskId }) => taskId), of.personId, of.practices],
  });
  return rows.map(({ task_id: taskId, gate_id: gateId, revision, digest, answer, now, ...row }) => ({
    ...{ taskId, gateId, revision, digest, answer, now },
    action: knownWord(actions, row.action, "gate.action"),
    status: row.is_current ? row.status : undefined,
    claimableAt: row.claimable_at ?? undefined,
  }));
}
