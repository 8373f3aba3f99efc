"use server";

import { refresh } from "next/cache";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import {
  noAnswer,
  refusedAnswer,
  signedOutAnswer,
  textOf,
  withoutSecrets,
  type ActAnswer,
} from "#components/form/act-answer";
import { acting, askProof } from "#components/form/acting";
import { changeOwnPassword } from "#lib/person/choose-password";
import { endOwnSessions } from "#lib/person/end-sessions";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { chooseSingleKeys } from "#lib/person/sign-in/actions";
import { unlinkOwn } from "#lib/person/sso/own-link";
import { contextOf, currentPerson, currentSessionId, selfOf } from "#lib/person/session/person";
import { ssoIssuer } from "#lib/person/sso/sso-settings";
import { chooseMail } from "#lib/person/mail/choose-mail";

export async function setMail(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const chosen = await chooseMail(contextOf(person), { mail: textOf(form, "mail") });
  if (chosen.ok) redirect("/account?done=mail");
  await noteRefusal(chosen.refusal, person);
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
  await keepDevice(person.id);
  redirect("/account?done=sessions");
}

/** Unlinks one's own account of the single sign-on provider. */
export async function unlinkProvider(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const [self, issuer] = [await selfOf(person), ssoIssuer()];
  if (!self || issuer === undefined) return signedOutAnswer(form);
  const unlinked = await unlinkOwn(self, issuer);
  if (unlinked.ok) redirect("/account?done=unlinked");
  if (unlinked.refusal === "proof-needed") return askProof(form, person);
  refresh();
  await noteRefusal(unlinked.refusal, person);
  return refusedAnswer(form, { alert: unlinkText[unlinked.refusal], problems: {} });
}

const unlinkText = {
  "last-way": "Nothing was done: nothing else would let you in where you work.",
  "not-found": "It is not linked any more. Nothing was done.",
} as const;

/** Changes one's own password for the one in use. Neither is ever sent back. */
export async function changePassword(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const names = ["present", "password"];
  const { person, answer } = await acting(form);
  if (answer) return withoutSecrets(answer, names);
  const sessionId = (await currentSessionId()) ?? "";
  const passwords = { present: textOf(form, "present"), password: textOf(form, "password") };
  const changed = await changeOwnPassword(contextOf(person), { sessionId, ...passwords });
  if (changed.ok) {
    // Every device was forgotten with the password; this is theirs.
    await keepDevice(person.id);
    redirect("/account?done=password");
  }
  if (changed.refusal.type === "proof-needed") return withoutSecrets(await askProof(form, person), names);
  await noteRefusal(changed.refusal.type, person);
  return { ...noAnswer, ...refusalMessage(changed.refusal) };
}
