import type { Store } from "./db.ts";

/** Adds the next partitions of the tables that are divided by time and drops the old ones, as the database's function says. */
export async function keepPartitions({ pool }: Store): Promise<void> {
  await pool.query("SELECT keep_partitions()");
}
