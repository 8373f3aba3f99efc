import type { Change } from "#lib/task/change";
import type { LoadedTask } from "#lib/task/loaded-task";
import { refreeze } from "#lib/task/open-revision";
import type { NewDetermination } from "./payer-event.ts";

type Prepared = Pick<Change, "commands" | "prepared">;

/** Records a determination, with the gate that replaces an open void gate whose votes saw another case. */
export async function determinationCommand(
  loaded: LoadedTask,
  { id, document, revision }: NewDetermination,
): Promise<Prepared> {
  const { outcome, decidedAt, reference } = document;
  const at = decidedAt === undefined ? undefined : new Date(decidedAt);
  const determination = { id, outcome, decidedAt: at, receivedAt: loaded.row.now, revision };
  return {
    commands: [{ type: "record-determination", determination, reference }],
    prepared: await voidGateAgain(loaded),
  };
}

/** The gate that replaces a void gate which waits, frozen for the case as it is; none where none waits. */
export async function voidGateAgain(loaded: LoadedTask): Promise<Change["prepared"]> {
  const { stage } = loaded.task;
  const waits = (stage.kind === "held" || stage.kind === "released") && stage.gate.action === "void";
  return waits ? (await refreeze(loaded, loaded.row, { action: "void" })).prepared : undefined;
}
