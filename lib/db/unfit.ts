import type { Store } from "./db.ts";

/** What this process was given does not fit the database, and no later attempt can succeed. The message says what to do. */
export class UnfitError extends Error {
  override readonly name = "UnfitError";
}

/** The oldest Postgres that has all we use (`pg_input_is_valid` came with 16). */
export const postgresMin = 16;

/** Fails with `UnfitError` if the database is older than we need. */
export async function proveServer(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  const [row] = rows;
  if (row && row.number < postgresMin * 10_000) throw new UnfitError(tooOld(row.version));
}

export function tooOld(version: string): string {
  return `The database is PostgreSQL ${version}, and this service needs ${postgresMin} or later: upgrade it (pg_upgrade), or set DATABASE_URL to a newer one.`;
}
