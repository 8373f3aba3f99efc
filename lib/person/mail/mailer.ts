import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { mailLimitMs } from "#lib/person/model/mail-limit";

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
  return `<${digest.slice(0, 32)}@${domainOf(publicUrl)}>`;
}

/** The host of an address, without the final dot that neither a `Message-ID` nor a greeting may have. */
export function domainOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/\.$/, "");
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
  /** The address of this service, by whose host it greets the server. */
  readonly publicUrl: string;
  /** The longest each answer of the server may take, and the longest one mail may take. */
  readonly waitMs?: number | undefined;
  readonly mailMs?: number | undefined;
};

/** The longest until there is a connection, and until the server greets on it: many let strangers wait half a minute. */
const connectMs = 10_000;
const greetingMs = 60_000;

/** Says that no person wrote it, so that an absence notice or another program doesn't answer it (RFC 3834). */
const ofProgram = { "Auto-Submitted": "auto-generated" };

/** How long a stopping process still waits for a mail that it is sending. */
const graceMs = 4_000;

/**
 * Sends mail over SMTP, one connection for each. A password never goes over a connection without TLS. A server that
 * scans a mail before it takes it has minutes for that: who gives up sooner sends what was taken again (RFC 5321,
 * section 4.5.3.2).
 */
export function createMailer({ url, from, publicUrl, waitMs = 300_000, mailMs = mailLimitMs }: MailerSettings): Mailer {
  const transport = createTransport({
    ...greetingOf(publicUrl),
    url,
    requireTLS: needsTls(new URL(url)),
    connectionTimeout: Math.min(waitMs, connectMs),
    greetingTimeout: Math.min(waitMs, greetingMs),
    dnsTimeout: Math.min(waitMs, connectMs),
    socketTimeout: waitMs,
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
      const mail = { ...message, from, to: { name: "", address: to }, headers: ofProgram };
      const delivery = transport.sendMail(mail).then((): MailResult => ({ outcome: "sent" }), readProblem);
      try {
        return await Promise.race([delivery, late(), stopped()]);
      } finally {
        ended.abort();
      }
    },
  };
}

/**
 * The name to greet a server by (RFC 5321, section 4.1.4). A container's own host name has no domain, and the library
 * then says `[127.0.0.1]`, which relays on the internet refuse. An address without a domain names no host to anybody else.
 */
function greetingOf(publicUrl: string): { readonly name?: string } {
  const name = domainOf(publicUrl);
  return isIP(name) === 0 && name.includes(".") ? { name } : {};
}

function needsTls({ username, hostname, protocol }: URL): boolean {
  return protocol === "smtp:" && username !== "" && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname);
}

/**
 * Returns the codes of a failure and the command it came to, because the server's text may repeat an address. A server
 * that refuses the sender, or wants to be signed in to, says nothing about this mail: it takes none until that is mended.
 * Many say so only after the recipient or the whole mail, where a rule may as well be about this one: that is tried again.
 */
function readProblem(error: unknown): MailResult {
  const { code, originalCode, responseCode, command, response } = Object.assign(
    { code: undefined, originalCode: undefined, responseCode: undefined, command: undefined, response: undefined },
    error,
  );
  const detail = detailOf(response);
  const parts = [code, originalCode, responseCode, detail, command].filter((part) => part !== undefined);
  const problem = parts.join(" ") || "unknown";
  const isOfSender = command === "MAIL FROM" && responseCode !== undefined && responseCode !== tooLarge;
  if ((code === "EENVELOPE" || code === "EMESSAGE") && !isOfSender && responseCode !== signInNeeded) {
    const isForGood = Number(responseCode ?? 500) >= 500 && !byRule.test(detail ?? "");
    return { outcome: isForGood ? "refused" : "later", problem };
  }
  return { outcome: "down", problem };
}

/** The enhanced status code at the head of a reply (RFC 2034), which tells more than the reply's own. */
function detailOf(response: unknown): string | undefined {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
}

/** Replies by which a server refuses a mail for its size, and anybody who did not sign in (RFC 1870, RFC 4954). */
const [tooLarge, signInNeeded] = [552, 530];

/** Enhanced codes of a rule or a missing right, and of a sender (RFC 3463, sections 3.2 and 3.8); 5.2.252 is Exchange's `SendAsDenied`. */
const byRule = /^\d\.7\.|^\d\.1\.[78]$|^5\.2\.252$/;
