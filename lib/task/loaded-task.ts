import type { Store, Tx } from "#lib/db/db";
import type { Task } from "#lib/task/model/task";
import type { TaskRow } from "#lib/task/store/task-rows";

/** A task as it was read in the transaction that may change it. */
export type LoadedTask = { readonly tx: Tx; readonly store: Store; readonly row: TaskRow; readonly task: Task };
