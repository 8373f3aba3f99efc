import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export type ReceivedMail = {
  readonly to: readonly string[];
  readonly raw: string;
  readonly head: string;
  readonly body: string;
};

/** A mail server on loopback that keeps what it takes. */
export async function aMailServer(options: SMTPServerOptions = {}) {
  const taken: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, { envelope }, answer) => {
      let raw = "";
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => (raw += part));
      stream.on("end", () => {
        const end = raw.indexOf("\r\n\r\n");
        const to = envelope.rcptTo.map(({ address }) => address);
        taken.push({ to, raw, head: raw.slice(0, end).replaceAll("\r\n ", " "), body: decoded(raw.slice(end)) });
        answer(null);
      });
    },
    ...options,
  });
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const of = (email: string) => taken.filter(({ to }) => to.includes(email));
  return { url: `smtp://127.0.0.1:${port}`, taken, of };
}

/** Quoted-printable, as mail carries long lines. */
function decoded(text: string): string {
  return text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
