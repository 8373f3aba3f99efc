import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { State } from "#lib/task/model/task";
import { loadDeskMarks, type KeptMark } from "#lib/queue/store/desk-marks";
import { loadProgress, type GateProgress } from "#lib/gate/shared/gate-progress";
import { reviewedBy } from "#lib/task/desk-refusal";

/** What a row of a list shows about the people at a case. */
export type DeskMark = {
  /** The names of the others who have the case open. */
  readonly readers: readonly string[];
  readonly notes: number;
  /** The reader has opened its current revision. */
  readonly opened: boolean;
};

/** What a row shows beside the case itself. */
type RowContext = { readonly mark?: DeskMark | undefined; readonly progress?: GateProgress | undefined };

/** States in which releases may have been given or may be recalled. */
const atGates: readonly State[] = ["transmit-held", "transmit-released", "void-held", "void-released"];

/** Adds to each row who has the case open, whether the reader has, its number of notes, and the progress of its gate. */
export async function withDeskMarks<Row extends { readonly taskId: string; readonly state: State }>(
  { actor, store }: Context<PersonActor>,
  rows: readonly Row[],
): Promise<readonly (Row & RowContext)[]> {
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
    return { ...row, progress: progress.get(row.taskId), ...(marks && { mark: markOf(marks) }) };
  });
}

function markOf(marks: readonly KeptMark[]): DeskMark {
  return {
    readers: marks.flatMap((one) => (one.kind === "reader" ? [one.name] : [])),
    opened: marks.some(({ kind }) => kind === "opened"),
    notes: marks.reduce((sum, one) => sum + (one.kind === "notes" ? one.count : 0), 0),
  };
}
