"use server";

import { redirect } from "next/navigation";
import { refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "#components/act-answer";
import { contextOf, currentPerson } from "#lib/auth/person";
import { chooseMail } from "#lib/mail/choose-mail";

export async function setMail(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const chosen = await chooseMail(contextOf(person), { mail: textOf(form, "mail") });
  if (chosen.ok) redirect("/account?done=mail");
  return refusedAnswer(form, { problems: { mail: "Choose one of these." } });
}
