"use server";

import { redirect } from "next/navigation";
import { textOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";

/** Says whether the practice's reviewers need a second factor, with a proof of who says so. */
export async function saveSecondFactor(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const practiceId = textOf(form, "practiceId");
  const set = await setSecondFactor(contextOf(person), { practiceId, required: textOf(form, "required") === "yes" });
  if (set.ok) redirect(`/practices/${encodeURIComponent(practiceId)}?done=second-factor`);
  return refusedAct(form, person, { refusal: set.refusal, words: refusalMessage });
}
