import type { Logger } from "pino";

type Level = "debug" | "info" | "warn" | "error";

const streams = { stdout: "info", stderr: "warn" } as const;
const methods = { debug: "debug", trace: "debug", info: "info", log: "info", warn: "warn", error: "error" } as const;

/** Longest part of a printed text that is logged, in characters. */
const printedCharsMax = 1_000;

/**
 * Turns everything that this process prints into log entries: standard output and error, the console, Node's warnings and
 * the error that ends the process. So a caller's input that a library prints can never look like a log line. Texts are cut,
 * errors are logged like other errors, and of an object only its type is logged, since it may hold anything. The log must be
 * created before this is called.
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

/**
 * How Next tells a post that names no action of ours, which is refused and logged as that. It goes on with the name that
 * was sent, and what was sent is for no log (OWASP ASVS 5.0, 16.3.3).
 */
const ofRefusedPost = /^(?:Failed to find Server Action|Invalid Server Actions request)/;

function note(log: Logger, level: Level, args: readonly unknown[]): void {
  const err = args.find((arg) => arg instanceof Error);
  const refused = err && ofRefusedPost.exec(err.message);
  if (refused) return log.info({ printed: [...refused] }, "something was printed");
  const printed = args.filter((arg) => arg !== err).map(wordOf);
  log[level]({ ...(err ? { err } : {}), ...(printed.length > 0 ? { printed } : {}) }, "something was printed");
}

function wordOf(arg: unknown): string {
  if (typeof arg === "object" && arg !== null) return `[${arg.constructor?.name ?? "object"}]`;
  return String(arg).slice(0, printedCharsMax).trimEnd();
}
