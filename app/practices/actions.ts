"use server";

import { redirect } from "next/navigation";
import { signedOutAnswer, textOf, type ActAnswer } from "#components/form/act-answer";
import { createPractice } from "#lib/practice/create-practice";
import { refusedAct } from "#components/form/acting";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf, currentPerson } from "#lib/person/session/person";

/** Makes a practice and goes to its page. */
export async function makePractice(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const environment = textOf(form, "environment") === "live" ? "live" : "test";
  const made = await createPractice(contextOf(person), {
    id: textOf(form, "id"),
    name: textOf(form, "name"),
    environment,
  });
  if (made.ok) redirect(`/practices/${encodeURIComponent(made.value.id)}?done=made`);
  return refusedAct(form, person, { refusal: made.refusal, words: refusalMessage });
}
