import type { Store } from "./db.ts";
import { sessionSettings, settingStatement } from "./session-settings.ts";

/** What this process was given does not fit the database, and no later attempt can succeed. The message says what to do. */
export class UnfitError extends Error {
  override readonly name = "UnfitError";
}

/** The oldest Postgres that has all we use (`pg_input_is_valid` came with 16). */
export const postgresMin = 16;

/** Fails with `UnfitError` if the database is older than we need, or connections lack the settings that we count on. */
export async function proveServer(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  const [row] = rows;
  if (row && row.number < postgresMin * 10_000) throw new UnfitError(tooOld(row.version));
  await proveSession(store);
}

/**
 * Fails with `UnfitError` if connections lack these settings, as behind a pooler where nobody gave them to the role, or
 * where the URL has settings of its own, which `pg` takes in place of ours.
 */
async function proveSession(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ name: string; setting: string; role: string; database: string }>(
    `SELECT name, setting, current_user AS role, current_database() AS database FROM pg_settings
      WHERE name = ANY ($1::text[])`,
    [Object.keys(sessionSettings)],
  );
  const wrong = rows.filter(({ name, setting }) => setting !== sessionSettings[name] && !isAsGood(name, setting));
  const [first] = wrong;
  if (!first) return;
  const statements = wrong.map(({ name }) => settingStatement(first, name, sessionSettings[name] ?? ""));
  throw new UnfitError(
    `Connections of the role ${first.role} lack settings that this service needs. Take \`options\` and other settings out of the database's URL. They cannot be given through a pooler: behind one, as a superuser, and then reconnect it (PgBouncer: RECONNECT):\n${statements.join(";\n")};`,
  );
}

/** What a connection may have in place of our own value, as one that a pooler made before the role was given that. */
function isAsGood(name: string, setting: string): boolean {
  if (name === "TimeZone") return /^(?:Etc\/)?(?:UTC|UCT|GMT(?:[+-]?0)?|Zulu|Universal|Greenwich)$/.test(setting);
  if (name === "DateStyle") return setting.startsWith("ISO, ");
  // Of a connection over a socket, Postgres says 0 for what is TCP's.
  return name.startsWith("tcp_");
}

export function tooOld(version: string): string {
  return `The database is PostgreSQL ${version}, and this service needs ${postgresMin} or later: upgrade it (pg_upgrade), or set DATABASE_URL to a newer one.`;
}
