"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import {
  noAnswer,
  refusedAnswer,
  signedOutAnswer,
  textOf,
  withoutSecrets,
  type ActAnswer,
} from "#components/act-answer";
import { acting, askProof } from "#components/acting";
import { changeOwnPassword } from "#lib/admin/choose-password";
import { endOwnSessions } from "#lib/admin/end-sessions";
import { refusalWords } from "#lib/admin/refusal-words";
import { chooseSingleKeys } from "#lib/auth/actions";
import { contextOf, currentPerson, currentSessionId } from "#lib/auth/person";
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

/** Ends one of one's own sessions. */
export async function endMySession(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  await endOwnSessions(contextOf(person), { only: textOf(form, "sessionId") });
  redirect("/account?done=sessions");
}

/** Ends all of one's own sessions but this one. */
export async function endMyOthers(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [person, except] = [await currentPerson(), await currentSessionId()];
  if (!person || except === undefined) return signedOutAnswer(form);
  await endOwnSessions(contextOf(person), { except });
  redirect("/account?done=sessions");
}

/** Changes one's own password for the one in use. Neither is ever sent back. */
export async function changePassword(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const names = ["present", "password"];
  const { person, answer } = await acting(form);
  if (answer) return withoutSecrets(answer, names);
  const sessionId = (await currentSessionId()) ?? "";
  const passwords = { present: textOf(form, "present"), password: textOf(form, "password") };
  const changed = await changeOwnPassword(contextOf(person), { sessionId, ...passwords });
  if (changed.ok) redirect("/account?done=password");
  if (changed.refusal.type === "proof-needed") return withoutSecrets(await askProof(form, person), names);
  return { ...noAnswer, ...refusalWords(changed.refusal) };
}
