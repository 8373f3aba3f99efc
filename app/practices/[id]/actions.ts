"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { textOf, textsOf, withoutSecrets, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import type { AdminRefusal } from "#lib/access/refusal";
import { renamePractice } from "#lib/practice/rename-practice";
import { putProvider, removeProvider } from "#lib/practice/set-providers";
import { isConnector, settingFields } from "#lib/practice/route-settings";
import { setRoute } from "#lib/practice/set-route";
import { testRoute } from "#lib/practice/test-route";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setTargets } from "#lib/practice/set-targets";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { warningTypes } from "#lib/gate/model/checks";
import { providerRoles } from "#lib/practice/model/known-provider";
import { completeRules } from "#lib/task/model/vote-rule";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { Result } from "#lib/platform/result";
import type { Done } from "./done-words.ts";
import { practicePath, routePath } from "./paths.ts";

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
      npi: textOf(form, "npi"),
      taxId: textOf(form, "taxId"),
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

export async function addProvider(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const ticked = textsOf(form, "roles");
  const provider = {
    npi: textOf(form, "npi"),
    name: textOf(form, "name"),
    roles: providerRoles.filter((role) => ticked.includes(role)),
  };
  return change(form, "providers", (ctx, practiceId) => putProvider(ctx, { practiceId, ...provider }));
}

export async function dropProvider(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "providers", (ctx, practiceId) => removeProvider(ctx, { practiceId, npi: textOf(form, "npi") }));
}

export async function setLine(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [payerId, lineOfBusiness] = [textOf(form, "payerId"), textOf(form, "lineOfBusiness")];
  return changeRoute(form, "line", (ctx, practiceId) =>
    setLineOfBusiness(ctx, { practiceId, payerId, lineOfBusiness }),
  );
}

export async function saveRoute(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const connector = textOf(form, "connector");
  const [environment, credential] = [textOf(form, "environment"), textOf(form, "credential")];
  const keep = textOf(form, "removeCredential") !== "yes";
  const given = (name: string) => textOf(form, name).trim() || undefined;
  const answer = await changeRoute(form, "route", (ctx, practiceId) =>
    setRoute(ctx, {
      practiceId,
      payerId: textOf(form, "payerId").trim(),
      payerName: given("payerName"),
      connector,
      url: given("url"),
      ...(environment === "live" || environment === "test" ? { environment } : {}),
      lineOfBusiness: given("lineOfBusiness"),
      requiredFields: textsOf(form, "requiredFields"),
      settings: settingsIn(form, connector),
      ...(credential === "" ? { keepCredential: keep } : { credential }),
    }),
  );
  return withoutSecrets({ ...answer, problems: atFields(answer.problems, connector) }, ["credential"]);
}

export async function tryRoute(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return changeRoute(form, "tested", (ctx, practiceId) =>
    testRoute(ctx, { practiceId, payerId: textOf(form, "payerId") }),
  );
}

/** What was typed into the fields of this connector; an empty one chooses nothing. */
function settingsIn(form: FormData, connector: string): Readonly<Record<string, string>> {
  const fields = isConnector(connector) ? settingFields[connector] : [];
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const text = textOf(form, `${connector}.${name}`).trim();
      return text === "" ? [] : [[name, text]];
    }),
  );
}

/** What is wrong with a setting stands at its own field. */
function atFields(problems: ActAnswer["problems"], connector: string): ActAnswer["problems"] {
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [field.replace(/^settings\./, `${connector}.`), problem]),
  );
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

export async function saveSignIn(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const on = textOf(form, "ssoOnly") === "yes";
  return change(form, on ? "sso" : "passwords", (ctx, practiceId) => setSsoOnly(ctx, { practiceId, on }));
}

export async function suspend(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "suspended", (ctx, practiceId) => suspendPractice(ctx, { practiceId }));
}

export async function resume(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "resumed", (ctx, practiceId) => resumePractice(ctx, { practiceId }));
}

type Act = (ctx: Context, practiceId: string) => Promise<Result<unknown, AdminRefusal>>;

/** Carries out a change of a route and goes to its page. */
async function changeRoute(form: FormData, done: Done, act: Act): Promise<ActAnswer> {
  return change(form, done, act, routePath(textOf(form, "practiceId"), textOf(form, "payerId").trim()));
}

/** Carries out a change and goes back to the practice's page, or where it is said, which says that it was done. */
async function change(form: FormData, done: Done, act: Act, path?: string): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const practiceId = textOf(form, "practiceId");
  const changed = await act(contextOf(person), practiceId);
  const to = path ?? practicePath(practiceId);
  if (changed.ok) redirect(`${to}${to.includes("?") ? "&" : "?"}done=${done}`);
  refresh();
  return refusedAct(form, person, { refusal: changed.refusal, words: refusalMessage });
}

/** What was typed as a number; an empty field is none, so that it is refused and not taken for 0. */
function numberOf(form: FormData, name: string): number {
  const text = textOf(form, name).trim();
  return text === "" ? Number.NaN : Number(text);
}
