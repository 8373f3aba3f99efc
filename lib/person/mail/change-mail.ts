import { changeMail } from "#lib/messages/mail";
import type { ChangeItem } from "#lib/person/store/change-mail";
import type { DueMailFor } from "#lib/person/store/mail-outbox";
import { type MailMessage, messageIdOf } from "./mailer.ts";

/** The mail that asks a second admin to look: how many changes wait and until when, nothing of what they are. */
export function composeChangeMail({ email, items }: DueMailFor<ChangeItem>, publicUrl: string): MailMessage {
  const first = items.reduce((soonest, { expires_at: at }) => (at < soonest ? at : soonest), new Date(8.64e15));
  const [lead, note] = [changeMail.lead(items.length, first), changeMail.note];
  const url = `${publicUrl}/changes`;
  return {
    to: email,
    subject: changeMail.subject(items.length),
    text: [lead, "", url, "", note, ""].join("\n"),
    html: [`<p>${lead} <a href="${url}">${url}</a></p>`, `<p>${note}</p>`].join("\n"),
    messageId: messageIdOf(items, publicUrl),
  };
}
