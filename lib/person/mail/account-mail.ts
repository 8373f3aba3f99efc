import { accountMail } from "#lib/messages/mail";
import type { AccountItem } from "#lib/person/store/account-mail";
import type { DueMailFor } from "#lib/person/store/mail-outbox";
import { type MailMessage, messageIdOf } from "./mailer.ts";

/**
 * The mail that reports changes in how a person signs in: what changed, when, and what to do if it was not them. It
 * holds no code, no name of a device, and no link that acts.
 */
export function composeAccountMail({ email, items }: DueMailFor<AccountItem>, publicUrl: string): MailMessage {
  const { subject, lead, remedy } = accountMail;
  const lines = items.map(({ change, created_at: at }) => accountMail.line(at, change));
  const account = `${publicUrl}/account`;
  const listed = lines.map((line) => `<li>${line}</li>`);
  return {
    to: email,
    subject,
    text: [lead, "", ...lines.map((line) => `- ${line}`), "", remedy, account, ""].join("\n"),
    html: [`<p>${lead}</p>`, "<ul>", ...listed, "</ul>", `<p>${remedy} <a href="${account}">${account}</a></p>`].join(
      "\n",
    ),
    messageId: messageIdOf(items, publicUrl),
  };
}
