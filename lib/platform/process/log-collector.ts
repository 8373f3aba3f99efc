import { isIP } from "node:net";
import { hostname } from "node:os";
import { connect, type TLSSocket } from "node:tls";

/** Where log lines go besides standard output; it never waits, never throws and keeps no process alive. */
export type LogCollector = {
  readonly take: (line: string) => void;
  /** Resolves once what was taken is written, or after a second. */
  readonly end: () => Promise<void>;
};

/** What waits while the collector is away; beyond that the oldest go, and a line says how many. */
const linesMax = 10_000;
const endMs = 1_000;

/** RFC 5424: the facility is local0; a level that is none of these is told as information. */
const facility = 16;
const severities: Readonly<Record<string, number>> = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7 };

/**
 * Sends each line as syslog (RFC 5424) over TLS (RFC 5425) to `tls://host:port`, whose certificate is verified. While
 * it is away the newest lines wait. Syslog acknowledges nothing: what was written when a connection breaks may be lost.
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
    // Why it failed is for nobody to read: the log would be about the log. Its collector misses what it does not get.
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

/** One message with the count of its bytes before it. */
function frame(line: string): string {
  const [, level = "", time = "-"] = /^\{"level":"(\w+)"(?:,"time":"([^"]+)")?/.exec(line) ?? [];
  const priority = facility * 8 + (severities[level] ?? 6);
  const message = `<${priority}>1 ${time} ${hostname()} prior-authorization ${process.pid} - - ${line.trimEnd()}`;
  return `${Buffer.byteLength(message)} ${message}`;
}
