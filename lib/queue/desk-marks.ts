import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { State } from "#lib/task/model/task";
import { loadDeskMarks, type KeptMark } from "#lib/queue/store/desk-marks";
import { loadProgress, type GateProgress } from "#lib/gate/store/gate-progress";
import { reviewedBy } from "#lib/task/desk-refusal";

/** What a row of a list says of the people around a case. */
export type DeskMark = {
  readonly claim?: { readonly name: string; readonly mine: boolean } | undefined;
  /** Who else has it on their screen, by name. */
  readonly readers: readonly string[];
  readonly notes: number;
};

/** What a row says of its case beside what the case itself says. */
type Around = { readonly mark?: DeskMark | undefined; readonly progress?: GateProgress | undefined };

/** Where people may still have released, or may still recall. */
const atGates: readonly State[] = ["transmit-held", "transmit-released", "void-held", "void-released"];

/** These rows of the reviewer's practices, each with who is at work on it, its notes, and how far it is at its gate. */
export async function withDeskMarks<Row extends { readonly taskId: string; readonly state: State }>(
  { actor, store }: Context<PersonActor>,
  rows: readonly Row[],
): Promise<readonly (Row & Around)[]> {
  const practices = reviewedBy(actor);
  const taskIds = rows.map(({ taskId }) => taskId);
  const atGate = rows.filter(({ state }) => atGates.includes(state)).map(({ taskId }) => taskId);
  const [kept, progress] = await Promise.all([
    loadDeskMarks(store, { taskIds, practices, personId: actor.id }),
    loadProgress(store, { taskIds: atGate, practices }),
  ]);
  const keptOf = Map.groupBy(kept, ({ taskId }) => taskId);
  return rows.map((row) => {
    const marks = keptOf.get(row.taskId);
    return { ...row, progress: progress.get(row.taskId), ...(marks && { mark: markOf(marks, actor.id) }) };
  });
}

function markOf(marks: readonly KeptMark[], reader: string): DeskMark {
  const mark = { claim: undefined as DeskMark["claim"], readers: [] as string[], notes: 0 };
  for (const one of marks) {
    if (one.kind === "notes") mark.notes = one.count;
    else if (one.kind === "reader") mark.readers.push(one.name);
    else mark.claim = { name: one.name, mine: one.personId === reader };
  }
  return mark;
}
