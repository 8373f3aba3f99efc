"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { refusedAnswer, textOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { grantOf } from "#components/text/grant-text";
import { mapGroup, unmapGroup, type MapGroup } from "#lib/person/map-group";
import type { AdminRefusal } from "#lib/access/refusal";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { Result } from "#lib/platform/result";
import { everyPractice } from "./every-practice.ts";

/** Gives a group of the provider a role, with a proof of who says so. */
export async function giveGroup(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [role, where] = [textOf(form, "role"), textOf(form, "practices")];
  const problems = { ...(role === "" && { role: "Choose one." }), ...(where === "" && { practices: "Choose where." }) };
  if (role === "" || where === "")
    return refusedAnswer(form, { alert: "Nothing was done: choose a role and where it holds.", problems });
  const practiceId = where === everyPractice ? undefined : where;
  return change(form, "given", mapGroup, { ...groupIn(form), role, practiceId });
}

/** Takes one away again. */
export async function takeFromGroup(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "taken", unmapGroup, { ...groupIn(form), ...grantOf(textOf(form, "grant")) });
}

type Verb = (ctx: Context, input: MapGroup) => Promise<Result<unknown, AdminRefusal>>;

async function change(form: FormData, done: "given" | "taken", verb: Verb, input: MapGroup): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const changed = await verb(contextOf(person), input);
  if (changed.ok) redirect(`/people/groups?done=${done}`);
  refresh();
  return refusedAct(form, person, { refusal: changed.refusal, words: refusalMessage });
}

function groupIn(form: FormData): Pick<MapGroup, "issuer" | "group"> {
  return { issuer: textOf(form, "issuer"), group: textOf(form, "group") };
}
