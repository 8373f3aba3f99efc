import type { Change } from "#lib/task/change";
import type { LoadedTask } from "#lib/task/store/load-task";
import { refreeze } from "#lib/task/open-revision";
import type { NewDetermination } from "./payer-event.ts";

type PreparedChange = Pick<Change, "commands" | "prepared">;

/** Records a determination. An open void gate is replaced, because its votes were given before the determination. */
export async function determinationCommand(
  loaded: LoadedTask,
  { id, document, revision }: NewDetermination,
): Promise<PreparedChange> {
  const { outcome, decidedAt, reference, appeal } = document;
  const at = decidedAt === undefined ? undefined : new Date(decidedAt);
  const fact = { id, outcome, decidedAt: at, receivedAt: loaded.row.now, revision };
  const determination = { ...fact, ...(appeal ? { appeal } : {}) };
  return {
    commands: [{ type: "record-determination", determination, reference }],
    prepared: await voidGateAgain(loaded),
  };
}

/** A new void gate, frozen for the case as it is now, to replace an open one. None if no void gate is open. */
export async function voidGateAgain(loaded: LoadedTask): Promise<Change["prepared"]> {
  const { stage } = loaded.task;
  const waits = (stage.kind === "held" || stage.kind === "released") && stage.gate.action === "void";
  return waits ? (await refreeze(loaded.tx, loaded.row, { action: "void" })).prepared : undefined;
}
