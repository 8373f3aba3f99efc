"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "#components/act-answer";
import { chooseSingleKeys } from "#lib/auth/actions";
import { contextOf, currentPerson } from "#lib/auth/person";
import { chooseMail } from "#lib/mail/choose-mail";

export async function setMail(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const chosen = await chooseMail(contextOf(person), { mail: textOf(form, "mail") });
  if (chosen.ok) redirect("/account?done=mail");
  return refusedAnswer(form, { problems: { mail: "Choose one of these." } });
}

export async function setTimes(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const own = textOf(form, "times") === "own";
  (await cookies()).set("times", own ? "own" : "practice", { path: "/", maxAge: 31_536_000, sameSite: "lax" });
  redirect("/account?done=times");
}

export async function setKeys(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  if (!(await currentPerson())) return signedOutAnswer(form);
  await chooseSingleKeys(textOf(form, "single") === "on");
  redirect("/account?done=keys");
}
