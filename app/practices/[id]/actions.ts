"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { refusedAnswer, signedOutAnswer, textOf, textsOf, type ActAnswer } from "#components/act-answer";
import { changePracticeSettings } from "#lib/admin/change-practice-settings";
import type { AdminRefusal } from "#lib/admin/refusal";
import { renamePractice } from "#lib/admin/rename-practice";
import { setLineOfBusiness } from "#lib/admin/set-line-of-business";
import { setNotedWarnings } from "#lib/admin/set-noted-warnings";
import { setTargets } from "#lib/admin/set-targets";
import { setVoteRules } from "#lib/admin/set-vote-rules";
import { warningTypes } from "#lib/domain/checks";
import { completeRules } from "#lib/domain/vote-rule";
import { resumePractice, suspendPractice } from "#lib/admin/suspend-practice";
import { refusalWords } from "#lib/admin/refusal-words";
import { contextOf, currentPerson } from "#lib/auth/person";
import type { Context } from "#lib/context";
import type { Result } from "#lib/domain/result";
import type { Done } from "./done-words.ts";

export async function rename(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "renamed", (ctx, practiceId) => renamePractice(ctx, { practiceId, name: textOf(form, "name") }));
}

export async function setSettings(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "settings", (ctx, practiceId) =>
    changePracticeSettings(ctx, {
      practiceId,
      recallWindowS: numberOf(form, "recallWindowS"),
      gateExpiryDays: numberOf(form, "gateExpiryDays"),
      environment: textOf(form, "environment") === "live" ? "live" : "test",
      timeZone: textOf(form, "timeZone"),
    }),
  );
}

export async function saveTargets(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [urgentTargetH, standardTargetH] = [numberOf(form, "urgentTargetH"), numberOf(form, "standardTargetH")];
  return change(form, "targets", (ctx, practiceId) => setTargets(ctx, { practiceId, urgentTargetH, standardTargetH }));
}

export async function setWarnings(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const reasoned = textsOf(form, "reasoned");
  const noted = warningTypes.filter((type) => !reasoned.includes(type));
  return change(form, "warnings", (ctx, practiceId) => setNotedWarnings(ctx, { practiceId, noted }));
}

export async function setLine(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [payerId, lineOfBusiness] = [textOf(form, "payerId"), textOf(form, "lineOfBusiness")];
  return change(form, "line", (ctx, practiceId) => setLineOfBusiness(ctx, { practiceId, payerId, lineOfBusiness }));
}

export async function setRules(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const rules = completeRules([]).map(({ action, risk }) => ({
    action,
    risk,
    votes: numberOf(form, `${action}-${risk}-votes`),
    stepUp: textOf(form, `${action}-${risk}-step-up`) === "yes",
  }));
  return change(form, "rules", (ctx, practiceId) => setVoteRules(ctx, { practiceId, rules }));
}

export async function suspend(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "suspended", (ctx, practiceId) => suspendPractice(ctx, { practiceId }));
}

export async function resume(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "resumed", (ctx, practiceId) => resumePractice(ctx, { practiceId }));
}

type Act = (ctx: Context, practiceId: string) => Promise<Result<unknown, AdminRefusal>>;

/** Carries out a change and goes back to the practice's page, which says that it was done. */
async function change(form: FormData, done: Done, act: Act): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const practiceId = textOf(form, "practiceId");
  const changed = await act(contextOf(person), practiceId);
  if (changed.ok) redirect(`/practices/${encodeURIComponent(practiceId)}?done=${done}`);
  refresh();
  return refusedAnswer(form, refusalWords(changed.refusal));
}

/** What was typed as a number; an empty field is none, so that it is refused and not taken for 0. */
function numberOf(form: FormData, name: string): number {
  const text = textOf(form, name).trim();
  return text === "" ? Number.NaN : Number(text);
}
