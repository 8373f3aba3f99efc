import type { Logger } from "pino";

type Level = "debug" | "info" | "warn" | "error";

const streams = { stdout: "info", stderr: "warn" } as const;
const methods = { debug: "debug", trace: "debug", info: "info", log: "info", warn: "warn", error: "error" } as const;

/** What is kept of a text somebody printed. In characters. */
const printedCharsMax = 1_000;

/**
 * From now on everything this process prints is an entry of its log, so that nothing a caller sent and a library repeats
 * can stand there as a line of its own: what goes to standard output and error, the console, Node's warnings and the error
 * that ends the process. A text is cut; an error is told as the log tells errors; of an object only its kind is told,
 * since it may hold anything. The log must have taken hold of the output before.
 */
export function logWhatIsPrinted(log: Logger): void {
  for (const [name, level] of Object.entries(streams)) takeStream(process[name as keyof typeof streams], level, log);
  for (const [name, level] of Object.entries(methods)) {
    console[name as keyof typeof methods] = (...args: readonly unknown[]) => note(log, level, args);
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "Node warned"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "the process ends by a failure that nobody caught");
    process.exit(1);
  });
}

function takeStream(stream: NodeJS.WriteStream, level: Level, log: Logger): void {
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    note(log, level, [typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")]);
    const done = rest.find((argument) => typeof argument === "function");
    if (done) process.nextTick(done);
    return true;
  };
}

function note(log: Logger, level: Level, args: readonly unknown[]): void {
  const err = args.find((arg) => arg instanceof Error);
  const printed = args.filter((arg) => arg !== err).map(wordOf);
  log[level]({ ...(err ? { err } : {}), ...(printed.length > 0 ? { printed } : {}) }, "something was printed");
}

function wordOf(arg: unknown): string {
  if (typeof arg === "object" && arg !== null) return `[${arg.constructor?.name ?? "object"}]`;
  return String(arg).slice(0, printedCharsMax).trimEnd();
}
