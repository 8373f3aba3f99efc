import { env, type Env } from "#lib/platform/env";
import { createMailer, type Letter } from "./mailer.ts";

/** Where letters go out, and where this service is. */
type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM" | "PUBLIC_URL">;

type Link = { readonly id: string; readonly email: string; readonly token: string; readonly isInvitation: boolean };

/** Where somebody chooses their password. The token is in the part of an address that no browser sends to any server. */
function linkAddress({ token }: Link, { PUBLIC_URL }: Settings): string {
  return `${PUBLIC_URL}/invite#${token}`;
}

/** While somebody waits for the answer. */
const letterMs = 10_000;

/**
 * Mails a link to whom it is for, once and now, since its token is kept nowhere to be sent from later. Gives the
 * address to be handed over by hand where no mail went out.
 */
export async function deliverLink(link: Link, settings: Settings = env()): Promise<string | undefined> {
  const { SMTP_URL: url, MAIL_FROM: from } = settings;
  if (url === undefined || from === undefined) return linkAddress(link, settings);
  const mailer = createMailer({ url, from, waitMs: letterMs / 2, letterMs });
  const { outcome } = await mailer.send(letterOf(link, settings), AbortSignal.timeout(letterMs));
  return outcome === "sent" ? undefined : linkAddress(link, settings);
}

function letterOf(link: Link, settings: Settings): Letter {
  const { id, email, isInvitation } = link;
  const address = linkAddress(link, settings);
  const what = isInvitation
    ? "You are invited to review prior authorizations. Accept here, and choose how you sign in:"
    : "An administrator asks you to choose a new password. The one you had works no more. Choose it here:";
  const rest =
    "The link works once, for 72 hours. If you expected no such letter, do nothing and tell your administrator.";
  return {
    to: email,
    subject: isInvitation ? "You are invited: Prior authorization" : "Choose a new password: Prior authorization",
    text: [what, "", address, "", rest, ""].join("\n"),
    html: `<p>${what}</p>\n<p><a href="${address}">${address}</a></p>\n<p>${rest}</p>`,
    messageId: `<link.${id}.${Date.now()}@${new URL(settings.PUBLIC_URL).hostname}>`,
  };
}
