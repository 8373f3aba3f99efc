"use server";

import { z } from "zod";
import { linkAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text, texts } from "#components/form/form-schema";
import { grantOf } from "#components/text/grant-text";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { invitePerson } from "#lib/person/invite-person";
import { deliverLink } from "#lib/person/mail/deliver-link";

const invitation = z.object({ email: text, roles: texts.transform((roles) => roles.map(grantOf)) });

/** Invites a person and mails the link. If no mail was sent, the answer shows the link, once. */
export const invite = action(invitation, invitePerson, {
  done: async (invited) => {
    if ("awaiting" in invited) return "/people?done=invited-waiting";
    const address = await deliverLink({ ...invited, isInvitation: true });
    if (address === undefined) return `/people/${invited.id}?done=invited`;
    return linkAnswer({ address, email: invited.email, done: `/people/${invited.id}` });
  },
  refused: refusalMessage,
});
