import type { Store } from "#lib/db/db";

/** A task as somebody last saw it. */
export type SeenTask = { readonly taskId: string; readonly practiceId: string; readonly version: number };

/** Those of these tasks that are no longer at the version somebody saw. The store is that of their practices. */
export async function changedTasks(store: Store, seen: readonly SeenTask[]): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ id: string }>({
    name: "changed-tasks",
    text: `SELECT seen.id FROM unnest($1::uuid[], $2::int[]) seen (id, version)
             LEFT JOIN task t ON t.id = seen.id WHERE t.version IS DISTINCT FROM seen.version`,
    values: [seen.map(({ taskId }) => taskId), seen.map(({ version }) => version)],
  });
  return rows.map(({ id }) => id);
}
