import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { env } from "./env.ts";
import { errorLine } from "./process/error-line.ts";
import { openLogCollector, type LogCollector } from "./process/log-collector.ts";
import { onShutdown } from "./process/on-shutdown.ts";

/**
 * Logs JSON lines to standard output, and to the collector if there is one. Only ids, states and numbers are logged. Of an
 * error, the name, the code and where it was thrown are logged, and the message only if it cannot repeat input. Another
 * thread passes its lines to `write`.
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

/** A function that writes a log line to the outputs of this process. */
export function writeLine(): (line: string) => void {
  const [output, collector] = [standardOutput(), sharedCollector()];
  return (line) => {
    const plain = plainLine(line);
    output.write(plain);
    collector?.take(plain);
  };
}

/** Characters that JSON does not escape, but that end a line for some readers or control a terminal. */
const uneasy = /[\u007f-\u009f\u2028\u2029]/g;

/** The same entry with these characters escaped. */
function plainLine(line: string): string {
  return line.replace(uneasy, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

type Write = typeof process.stdout.write;

const shared = globalThis as { priorAuthorizationLogCollector?: LogCollector; priorAuthorizationOutput?: Write };

/** The original writer of standard output, before `printed-lines` replaced it; shared by all copies of this module. */
shared.priorAuthorizationOutput ??= process.stdout.write.bind(process.stdout);
const writeOut = shared.priorAuthorizationOutput;

/** One connection per process; Next has its own copy of this module. */
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
/** The longest that a line waits to be written; a process that ends writes the rest. */
const flushMs = 500;

/**
 * Writes in pages instead of lines, so that a call does not wait for its log. Pino's own buffered destination is not used,
 * because it retries for ever at exit when its reader is gone (SonicBoom 5, `flushSync` on EPIPE); here such lines are
 * dropped.
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
