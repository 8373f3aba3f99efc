import { pino, type Logger, type LoggerOptions } from "pino";
import { env } from "./env.ts";

/**
 * JSON lines on standard output. Only ids, states and numbers are logged; of an
 * error, its name, code and where it was thrown, and its message only where
 * that cannot repeat what was being read or written.
 */
export function createLog(process: string): Logger {
  // Written by the page rather than by the line: a call that only reads should not wait for its log.
  const out = pino.destination({ dest: 1, sync: false, minLength: pageBytes });
  setInterval(() => out.flush(), flushMs).unref();
  const options: LoggerOptions = {
    level: env().LOG_LEVEL,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorLine },
  };
  return pino(options, out);
}

const pageBytes = 4096;
/** The longest a line waits to be written; a process that ends writes what is left. */
const flushMs = 500;

type ErrorLine = {
  readonly name: string;
  readonly code?: unknown;
  readonly message?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorLine;
};

/** JSON.parse quotes the text it could not read, Prisma its arguments, Postgres (whose errors pg names `error`) its input. */
const quoting = /^(SyntaxError|PrismaClient(Validation|Known|Unknown)\w*|DriverAdapterError|error)$/;

/** What the log keeps of an error: never its other members, which may hold rows. */
export function errorLine(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, cause } = error;
  const frames = error.stack
    ?.split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => line.trim());
  return {
    name,
    ...("code" in error ? { code: error.code } : {}),
    ...(quoting.test(name) ? {} : { message }),
    ...(frames ? { stack: frames } : {}),
    ...(cause === undefined ? {} : { cause: errorLine(cause) }),
  };
}
