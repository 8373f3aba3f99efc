"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { linkAnswer, textOf, textsOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { grantOf } from "#components/text/grant-text";
import { invitePerson } from "#lib/person/invite-person";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";
import { deliverLink } from "#lib/person/mail/link-letter";

/** Invites somebody and mails them their link; where no mail went out, the link is in the answer, this one time. */
export async function invite(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const invited = await invitePerson(contextOf(person), {
    email: textOf(form, "email"),
    roles: textsOf(form, "roles").map(grantOf),
  });
  if (!invited.ok) return refusedAct(form, person, { refusal: invited.refusal, words: refusalMessage });
  const address = await deliverLink({ ...invited.value, isInvitation: true });
  if (address === undefined) redirect(`/people/${invited.value.id}?done=invited`);
  refresh();
  return linkAnswer({ address, email: invited.value.email });
}
