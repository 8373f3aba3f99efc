"use server";

import { redirect } from "next/navigation";
import { refusedAnswer, textOf, type ActAnswer } from "#components/act-answer";
import { acting, askProof } from "#components/acting";
import { refusalWords } from "#lib/admin/refusal-words";
import { setSecondFactor } from "#lib/admin/set-second-factor";
import { contextOf } from "#lib/auth/person";

/** Says whether the practice's reviewers need a second factor, with a proof of who says so. */
export async function saveSecondFactor(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const practiceId = textOf(form, "practiceId");
  const set = await setSecondFactor(contextOf(person), { practiceId, required: textOf(form, "required") === "yes" });
  if (set.ok) redirect(`/practices/${encodeURIComponent(practiceId)}?done=second-factor`);
  if (set.refusal.type === "proof-needed") return askProof(form, person);
  return refusedAnswer(form, refusalWords(set.refusal));
}
