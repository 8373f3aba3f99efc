import { invitationMail, linkMailEnd, newPasswordMail } from "#lib/messages/mail";
import { env, type Env } from "#lib/platform/env";
import { createMailer, domainOf, type MailMessage } from "./mailer.ts";

/** The mail server, the sender, and the address of this service. */
type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM" | "PUBLIC_URL">;

type Link = { readonly id: string; readonly email: string; readonly token: string; readonly isInvitation: boolean };

/** The token is in the fragment, the part of an address that browsers send to no server. */
function linkAddress({ token }: Link, { PUBLIC_URL }: Settings): string {
  return `${PUBLIC_URL}/invite#${token}`;
}

/** The longest the administrator waits for the mail server. */
const mailMs = 10_000;

/**
 * Mails a link to its person, once and now: the token is stored nowhere, so it cannot be mailed later. Undefined where
 * the mail server took it; otherwise the address, which the administrator has to hand over.
 */
export async function deliverLink(link: Link, settings: Settings = env()): Promise<string | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  if (url === undefined || from === undefined) return linkAddress(link, settings);
  const mailer = createMailer({ url, from, publicUrl: settings.PUBLIC_URL, waitMs: mailMs, mailMs });
  const { outcome } = await mailer.send(composeLinkMail(link, settings), AbortSignal.timeout(mailMs));
  return outcome === "sent" ? undefined : linkAddress(link, settings);
}

function composeLinkMail(link: Link, settings: Settings): MailMessage {
  const { id, email, isInvitation } = link;
  const address = linkAddress(link, settings);
  const { subject, lead } = isInvitation ? invitationMail : newPasswordMail;
  return {
    to: email,
    subject,
    text: [lead, "", address, "", linkMailEnd, ""].join("\n"),
    html: `<p>${lead}</p>\n<p><a href="${address}">${address}</a></p>\n<p>${linkMailEnd}</p>`,
    messageId: `<link.${id}.${Date.now()}@${domainOf(settings.PUBLIC_URL)}>`,
  };
}
