import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { env } from "./env.ts";
import { openLogCollector, type LogCollector } from "./process/log-collector.ts";
import { onShutdown } from "./process/on-shutdown.ts";

/**
 * JSON lines on standard output, and to the collector there is. Only ids, states and numbers are logged; of an
 * error, its name, code and where it was thrown, and its message only where
 * that cannot repeat what was being read or written.
 */
export function createLog(name: string): Logger {
  const options: LoggerOptions = {
    level: env().LOG_LEVEL,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorLine },
  };
  const [output, collector] = [standardOutput(), sharedCollector()];
  if (!collector) return pino(options, output);
  return pino(options, {
    write: (line) => {
      output.write(line);
      collector.take(line);
    },
  });
}

const shared = globalThis as { priorAuthorizationLogCollector?: LogCollector };

/** One connection a process, though Next bundles this module apart. */
function sharedCollector(): LogCollector | undefined {
  const { LOG_COLLECTOR: url } = env();
  if (url === undefined) return undefined;
  if (!shared.priorAuthorizationLogCollector) {
    const collector = openLogCollector(new URL(url));
    shared.priorAuthorizationLogCollector = collector;
    // Registered first, so that it ends last.
    onShutdown(() => collector.end());
  }
  return shared.priorAuthorizationLogCollector;
}

const pageChars = 16_384;
/** The longest a line waits to be written; a process that ends writes what is left. */
const flushMs = 500;

/**
 * Written by the page rather than by the line: a call that only reads should not wait for its log. Pino's own buffered
 * destination is not used, because one whose reader is gone retries for ever when the process exits (SonicBoom 5,
 * `flushSync` on EPIPE); here such lines are dropped.
 */
function standardOutput(): DestinationStream {
  let page = "";
  const flush = () => {
    if (page !== "") process.stdout.write(page);
    page = "";
  };
  process.stdout.on("error", () => undefined);
  process.on("exit", flush);
  setInterval(flush, flushMs).unref();
  return {
    write: (line) => {
      page += line;
      if (page.length >= pageChars) flush();
    },
  };
}

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
