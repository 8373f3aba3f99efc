import { isIP } from "node:net";
import { hostname } from "node:os";
import { connect, type TLSSocket } from "node:tls";

/** A second destination of log lines. It never blocks, never throws and keeps no process alive. */
export type LogCollector = {
  readonly take: (line: string) => void;
  /** Resolves when all lines are written, or after a second. */
  readonly end: () => Promise<void>;
};

/** Most lines kept while the collector is unreachable. Beyond that the oldest are dropped, and a line says how many. */
const linesMax = 10_000;
const endMs = 1_000;

/** Severities of RFC 5424, with the facility local0; any other level is sent as information. */
const facility = 16;
const severities: Readonly<Record<string, number>> = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7 };

/**
 * Sends each line as syslog (RFC 5424) over TLS (RFC 5425) to `tls://host:port`, whose certificate is verified. While it is
 * unreachable, the newest lines wait. Syslog has no acknowledgment, so lines may be lost when a connection breaks.
 */
export function openLogCollector({ hostname: to, port }: URL, { againMs = 5_000 } = {}): LogCollector {
  let waiting: string[] = [];
  let lost = 0;
  let socket: TLSSocket | undefined;
  let isOpen = false;
  let isPlanned = false;
  let ending: (() => void) | undefined;

  const open = () => {
    const host = to.replace(/^\[|\]$/g, "");
    const name = isIP(host) === 0 ? { servername: host } : {};
    const opened = connect({ host, ...name, port: Number(port), rejectUnauthorized: true });
    socket = opened.unref().setKeepAlive(true, 30_000);
    opened.on("secureConnect", () => {
      isOpen = true;
      write();
    });
    opened.on("drain", write);
    // The error is not logged, because the log itself failed. The operator of the collector sees that lines are missing.
    opened.on("error", () => undefined);
    opened.on("close", () => {
      isOpen = false;
      setTimeout(() => {
        socket = undefined;
        if (waiting.length > 0) open();
      }, againMs).unref();
    });
    opened.resume();
  };

  const write = () => {
    isPlanned = false;
    if (!socket) return open();
    if (!isOpen || socket.writableNeedDrain) return;
    const lines = lost > 0 ? [lostLine(lost), ...waiting] : waiting;
    [waiting, lost] = [[], 0];
    if (lines.length > 0) socket.write(lines.map(frame).join(""), () => ending?.());
    else ending?.();
  };

  return {
    take: (line) => {
      waiting.push(line);
      if (waiting.length > linesMax) lost += waiting.splice(0, linesMax / 10).length;
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(write);
    },
    end: () =>
      new Promise((resolve) => {
        setTimeout(resolve, endMs);
        ending = resolve;
        write();
      }),
  };
}

function lostLine(count: number): string {
  return JSON.stringify({ level: "warn", time: new Date().toISOString(), count, msg: "log lines were lost" });
}

/** One message, preceded by its length in bytes (RFC 5425, 4.3). */
function frame(line: string): string {
  const [, level = "", time = "-"] = /^\{"level":"(\w+)"(?:,"time":"([^"]+)")?/.exec(line) ?? [];
  const priority = facility * 8 + (severities[level] ?? 6);
  const message = `<${priority}>1 ${time} ${hostname()} prior-authorization ${process.pid} - - ${line.trimEnd()}`;
  return `${Buffer.byteLength(message)} ${message}`;
}
