import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { env } from "./env.ts";
import { errorLine } from "./process/error-line.ts";
import { openLogCollector, type LogCollector } from "./process/log-collector.ts";
import { onShutdown } from "./process/on-shutdown.ts";

/**
 * JSON lines on standard output, and to the collector there is. Only ids, states and numbers are logged; of an
 * error, its name, code and where it was thrown, and its message only where
 * that cannot repeat what was being read or written. Another thread gives its lines to `write`.
 */
export function createLog(name: string, write = writeLine()): Logger {
  const options: LoggerOptions = {
    level: env().LOG_LEVEL,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorLine },
  };
  return pino(options, { write });
}

/** Writes a line of a log to where this process's lines go. */
export function writeLine(): (line: string) => void {
  const [output, collector] = [standardOutput(), sharedCollector()];
  return (line) => {
    const plain = plainLine(line);
    output.write(plain);
    collector?.take(plain);
  };
}

/** What ends a line for some of those who read it, or speaks to a terminal, and stands in JSON as it is. */
const uneasy = /[\u007f-\u009f\u2028\u2029]/g;

/** The same entry in characters that no reader takes for the end of a line. */
function plainLine(line: string): string {
  return line.replace(uneasy, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

type Write = typeof process.stdout.write;

const shared = globalThis as { priorAuthorizationLogCollector?: LogCollector; priorAuthorizationOutput?: Write };

/** Standard output as it was before whatever else is printed there went through the log; one for every copy of this module. */
shared.priorAuthorizationOutput ??= process.stdout.write.bind(process.stdout);
const writeOut = shared.priorAuthorizationOutput;

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
    if (page !== "") writeOut(page);
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
