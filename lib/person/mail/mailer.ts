import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createTransport } from "nodemailer";

/** One mail to one address. */
export type MailMessage = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same however often a mail is tried, so that a mailbox shows it once. */
  readonly messageId: string;
};

/**
 * A `Message-ID` (RFC 5322, section 3.6.4) that is the same for every attempt to tell these items, and another where one
 * more is told with them: a mailbox that has the first would leave out what is new.
 */
export function messageIdOf(items: readonly { readonly id: string }[], publicUrl: string): string {
  const ids = items.map(({ id }) => id).toSorted();
  const digest = createHash("sha256").update(ids.join()).digest("hex");
  return `<${digest.slice(0, 32)}@${new URL(publicUrl).hostname}>`;
}

/** `refused`: the server will never take this mail. `later`: it may take it at another time. `down`: it takes no mail now. */
export type MailResult =
  | { readonly outcome: "sent" }
  | { readonly outcome: "refused" | "later" | "down"; readonly problem: string };

export type Mailer = { readonly send: (mail: MailMessage, signal: AbortSignal) => Promise<MailResult> };

export type MailerSettings = {
  /** `smtp://user:password@host:587`, or `smtps://` where TLS comes first. */
  readonly url: string;
  readonly from: string;
  /** The longest each wait on the server may take, and the longest one mail may take. */
  readonly waitMs?: number | undefined;
  readonly mailMs?: number | undefined;
};

/** How long a stopping process still waits for a mail that it is sending. */
const graceMs = 4_000;

/** Sends mail over SMTP, one connection for each. A password never goes over a connection without TLS. */
export function createMailer({ url, from, waitMs = 10_000, mailMs = 60_000 }: MailerSettings): Mailer {
  const transport = createTransport({
    url,
    requireTLS: needsTls(new URL(url)),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    dnsTimeout: waitMs,
    socketTimeout: 2 * waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, ...message }, signal) => {
      const ended = new AbortController();
      const late = async (): Promise<MailResult> => {
        await setTimeout(mailMs, undefined, { signal: ended.signal });
        return { outcome: "down", problem: "too slow" };
      };
      const stopped = (): Promise<MailResult> =>
        new Promise((resolve) => {
          const stop = () =>
            void setTimeout(graceMs, undefined, { signal: ended.signal }).then(
              () => resolve({ outcome: "down", problem: "stopped" }),
              () => undefined,
            );
          if (signal.aborted) stop();
          else signal.addEventListener("abort", stop, { signal: ended.signal });
        });
      // An object, so that an address is never read as a list of several or as a header.
      const mail = { ...message, from, to: { name: "", address: to } };
      const delivery = transport.sendMail(mail).then((): MailResult => ({ outcome: "sent" }), readProblem);
      try {
        return await Promise.race([delivery, late(), stopped()]);
      } finally {
        ended.abort();
      }
    },
  };
}

function needsTls({ username, hostname, protocol }: URL): boolean {
  return protocol === "smtp:" && username !== "" && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname);
}

/** Returns the codes of a failure alone, because the server's text may repeat an address. */
function readProblem(error: unknown): MailResult {
  const { code, responseCode } = Object.assign({ code: undefined, responseCode: undefined }, error);
  const problem = [code, responseCode].filter((part) => part !== undefined).join(" ") || "unknown";
  if (code === "EENVELOPE" || code === "EMESSAGE") {
    return { outcome: Number(responseCode ?? 500) >= 500 ? "refused" : "later", problem };
  }
  return { outcome: "down", problem };
}
