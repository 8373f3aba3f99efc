import { ArchiveAwayError } from "./object-store.ts";
import { NotPrimaryError } from "./clients.ts";
import { namesOf } from "./failure-names.ts";
import { DatabaseAwayError } from "./reach.ts";
import { DatabaseSilentError } from "./silence.ts";

/** An ask that was not answered in time by a database that others ask too. */
export class DatabaseBusyError extends Error {
  override readonly name = "DatabaseBusyError";
}

/** Changes of one practice wait for each other too long. Nothing was asked. */
export class PracticeHeldUpError extends Error {
  override readonly name = "PracticeHeldUpError";
}

/**
 * Postgres's codes for a lost connection (08), a lost race (40), too few of something (53), an operator's or a time
 * limit's end (57), a failing system (58), a lock not had, an idle transaction ended, and a database that takes no writes.
 */
const states = /^(?:(?:08|40|53|57|58)[0-9A-Z]{3}|55P03|25P03|25006)$/;

const sockets = /^(?:E(?:CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH|AI_AGAIN)|ENOTFOUND)$/;

/** Prisma's for a database it does not reach, a wait for a connection, and a transaction that lost its race or its time. */
const prismas = /^P(?:1001|1002|1008|1017|2024|2028|2034)$/;

/** What `pg` and its pool say of connections without a code. */
const sayings =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (?:has encountered a connection error|was closed) and is not queryable)/;

/**
 * Whether it was the database, the archive or the way there that failed, and not what was asked: the same may be asked
 * again later.
 * Nothing is said of whether it was done.
 */
export function isUnavailable(error: unknown): boolean {
  for (let [at, depth] = [error, 0]; at instanceof Error && depth < 8; [at, depth] = [causeOf(at), depth + 1]) {
    if (ours.some((kind) => at instanceof kind) || sayings.test(at.message)) return true;
    const { state, code } = namesOf(at);
    if ([state ?? "", code].some((name) => [states, sockets, prismas].some((codes) => codes.test(name)))) return true;
  }
  return false;
}

type FailureLog = Readonly<Record<"warn" | "error", (fields: FailureFields, message: string) => void>>;
type FailureFields = { readonly err: unknown; readonly [name: string]: unknown };

/** A line about a failure: at `warn` where it was an outage, which is no bug of ours and has alerts of its own, else at `error`. */
export function logFailure(log: FailureLog, fields: FailureFields, message: string): void {
  log[isUnavailable(fields.err) ? "warn" : "error"](fields, message);
}

const ours = [
  ...[DatabaseSilentError, DatabaseBusyError, DatabaseAwayError, NotPrimaryError, PracticeHeldUpError],
  ArchiveAwayError,
] as const;

/** Whether a server refused to write because it is a standby or was told not to. */
export function isReadOnly(error: unknown): boolean {
  return namesOf(error).state === "25006";
}

/** Prisma keeps what its driver said beside its own error. */
function causeOf(error: Error): unknown {
  if (error.cause !== undefined) return error.cause;
  const { meta } = error as { readonly meta?: { readonly driverAdapterError?: unknown } };
  return meta?.driverAdapterError;
}
