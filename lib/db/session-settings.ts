import { plannerSettings } from "#lib/platform/clever/planner-settings";
import { lockMs, statementMs } from "./silence.ts";

/**
 * Postgres too gives up whom it does not reach, so that nobody who is gone keeps a lock or a place: after 15 s what it
 * said without being heard, after a second the statement whose asker went.
 */
const reaching = {
  tcp_user_timeout: "15000",
  tcp_keepalives_idle: "15",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  client_connection_check_interval: "1000",
};

const waiting = {
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  idle_in_transaction_session_timeout: "10000",
};

/**
 * What a database may have otherwise for others. `pg` takes an instant that is not written as ISO does for none at all;
 * Prisma says an instant in UTC and not that it is; and whoever waited for a lock has to see what was committed meanwhile.
 */
const reading = {
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  default_transaction_isolation: "read committed",
};

/** What a connection of the application has set, in the units of Postgres. Migrations set the same for its role. */
export const sessionSettings: Readonly<Record<string, string>> = {
  ...plannerSettings,
  ...reading,
  ...reaching,
  ...waiting,
};

/** What a client says as it connects. A pooler between refuses all of it: there the settings of the role hold. */
export function sessionConfig({ isPooled }: { readonly isPooled: boolean }) {
  if (isPooled) return {};
  const options = Object.entries({ ...plannerSettings, ...reading, ...reaching }).map(
    // Postgres divides them at spaces.
    ([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`,
  );
  return { options: options.join(" "), ...timeouts };
}

const timeouts = {
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: 10_000,
};

/** A setting of the role in this database alone, since it may have others in others. */
export function settingStatement(
  { role, database }: { readonly role: string; readonly database: string },
  name: string,
  value: string,
): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET ${name} = '${value}'`;
}
