import { setTimeout } from "node:timers/promises";
import { createTransport } from "nodemailer";

export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt, so that a mailbox shows one of them. */
  readonly messageId: string;
};

/** `refused`: this letter will never be taken. `later`: it may be at another time. `down`: no letter gets through now. */
export type MailResult =
  { readonly outcome: "sent" } | { readonly outcome: "refused" | "later" | "down"; readonly problem: string };

export type Mailer = { readonly send: (letter: Letter, signal: AbortSignal) => Promise<MailResult> };

export type MailerSettings = {
  /** `smtp://user:password@host:587`, or `smtps://` where TLS comes first. */
  readonly url: string;
  readonly from: string;
  /** The longest each wait on the server may take, and the longest one letter may take. */
  readonly waitMs?: number | undefined;
  readonly letterMs?: number | undefined;
};

/** What a stopping process still grants a letter under way. */
const graceMs = 4_000;

/** Sends letters over SMTP, one connection each. A password never goes over an open line. */
export function createMailer({ url, from, waitMs = 10_000, letterMs = 60_000 }: MailerSettings): Mailer {
  const transport = createTransport({
    url,
    requireTLS: mustHide(new URL(url)),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    dnsTimeout: waitMs,
    socketTimeout: 2 * waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...letter }, signal) => {
      const ended = new AbortController();
      const late = async (): Promise<MailResult> => {
        await setTimeout(letterMs, undefined, { signal: ended.signal });
        return { outcome: "down", problem: "too slow" };
      };
      const stopped = (): Promise<MailResult> =>
        new Promise((resolve) => {
          const stop = () =>
            void setTimeout(graceMs, undefined, { signal: ended.signal }).then(
              () => resolve({ outcome: "later", problem: "stopped" }),
              () => undefined,
            );
          if (signal.aborted) stop();
          else signal.addEventListener("abort", stop, { signal: ended.signal });
        });
      // An object, so that an address is never read as a list of several or as a header.
      const mail = { ...letter, from, to: { name: "", address: to } };
      const sending = transport.sendMail(mail).then((): MailResult => ({ outcome: "sent" }), readProblem);
      try {
        return await Promise.race([sending, late(), stopped()]);
      } finally {
        ended.abort();
      }
    },
  };
}

function mustHide({ username, hostname, protocol }: URL): boolean {
  return protocol === "smtp:" && username !== "" && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname);
}

/** The server's own words may repeat an address, so of a failure only codes are kept. */
function readProblem(error: unknown): MailResult {
  const { code, responseCode } = Object.assign({ code: undefined, responseCode: undefined }, error);
  const problem = [code, responseCode].filter((part) => part !== undefined).join(" ") || "unknown";
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    return { outcome: Number(responseCode ?? 500) >= 500 ? "refused" : "later", problem };
  }
  return { outcome: "down", problem };
}
