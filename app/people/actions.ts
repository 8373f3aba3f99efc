"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { linkAnswer, textOf, textsOf, type ActAnswer } from "#components/act-answer";
import { acting, refusedAct } from "#components/acting";
import { grantOf } from "#components/grant-text";
import { invitePerson } from "#lib/admin/invite-person";
import { refusalWords } from "#lib/admin/refusal-words";
import { contextOf } from "#lib/auth/person";
import { deliverLink } from "#lib/mail/link-letter";

/** Invites somebody and mails them their link; where no mail went out, the link is in the answer, this one time. */
export async function invite(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const invited = await invitePerson(contextOf(person), {
    email: textOf(form, "email"),
    roles: textsOf(form, "roles").map(grantOf),
  });
  if (!invited.ok) return refusedAct(form, person, { refusal: invited.refusal, words: refusalWords });
  const address = await deliverLink({ ...invited.value, isInvitation: true });
  if (address === undefined) redirect(`/people/${invited.value.id}?done=invited`);
  refresh();
  return linkAnswer({ address, email: invited.value.email });
}
