"use server";

import { action } from "#components/form/action";
import { postedTexts, text, yes } from "#components/form/form-schema";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { chooseNotifications } from "#lib/person/mail/my-account";
import { notificationKinds, type Delivery, type NotificationKind } from "#lib/person/model/notification";

/** A kind without a field is refused: what no page sends changes nothing. */
const choice = postedTexts.transform((posted) => ({
  // Safe because every kind gets an entry, and the verb refuses a word that is no delivery.
  kinds: Object.fromEntries(notificationKinds.map((kind) => [kind, text.parse(posted[kind])])) as Record<
    NotificationKind,
    Delivery
  >,
  quiet: yes.parse(posted.quiet)
    ? { from: text.parse(posted["quiet.from"]), to: text.parse(posted["quiet.to"]) }
    : undefined,
  quietWeekends: yes.parse(posted.weekends),
  urgentAnyway: yes.parse(posted.urgent),
}));

export const saveNotifications = action(choice, chooseNotifications, {
  done: () => "/account/notifications?done=saved",
  refused: (refusal) => {
    const { alert, problems } = refusalMessage(refusal);
    const atFields = Object.entries(problems).map(([field, problem]) => [field.replace(/^kinds\./, ""), problem]);
    return { alert, problems: Object.fromEntries(atFields) };
  },
});
