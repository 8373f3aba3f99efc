"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { linkAnswer, textOf, textsOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { grantOf } from "#components/text/grant-text";
import { changeGrants } from "#lib/person/change-grants";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { endSessions } from "#lib/person/end-sessions";
import type { AdminRefusal } from "#lib/access/refusal";
import { renewLink } from "#lib/person/renew-link";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { withdrawInvitation } from "#lib/person/withdraw-invitation";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { Result } from "#lib/platform/result";
import { deliverLink } from "#lib/person/mail/link-letter";
import type { Done } from "./done-words.ts";

/** Asks for what was ticked or unticked since the page was drawn, and for nothing else. */
export async function setRoles(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [held, ticked] = [textsOf(form, "held"), textsOf(form, "roles")];
  const add = ticked.filter((text) => !held.includes(text)).map(grantOf);
  const remove = held.filter((text) => !ticked.includes(text)).map(grantOf);
  return change(form, "roles", (ctx, id) => changeGrants(ctx, { id, add, remove }));
}

export async function close(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "closed", (ctx, id) => disablePerson(ctx, { id }));
}

export async function open(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "opened", (ctx, id) => enablePerson(ctx, { id }));
}

export async function resetFactors(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return change(form, "reset", (ctx, id) => resetSecondFactor(ctx, { id }));
}

/** Ends the session the form names, or all. */
export async function endSession(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const sessionId = textOf(form, "sessionId") || undefined;
  return change(form, "ended", (ctx, personId) => endSessions(ctx, { personId, sessionId }));
}

export async function withdraw(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const withdrawn = await withdrawInvitation(contextOf(person), { id: textOf(form, "personId") });
  if (withdrawn.ok) redirect("/people");
  refresh();
  return refusedAct(form, person, { refusal: withdrawn.refusal, words: refusalMessage });
}

/** Gives a new link, mailed or shown this one time. */
export async function sendLink(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const renewed = await renewLink(contextOf(person), { id: textOf(form, "personId") });
  refresh();
  if (!renewed.ok) return refusedAct(form, person, { refusal: renewed.refusal, words: refusalMessage });
  const isInvitation = textOf(form, "isInvitation") === "yes";
  const address = await deliverLink({ ...renewed.value, isInvitation });
  if (address === undefined) redirect(`/people/${renewed.value.id}?done=link`);
  return linkAnswer({ address, email: renewed.value.email });
}

type Act = (ctx: Context, id: string) => Promise<Result<unknown, AdminRefusal>>;

/** Carries out a change and goes back to the person's page, which says that it was done. */
async function change(form: FormData, done: Done, act: Act): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const id = textOf(form, "personId");
  const changed = await act(contextOf(person), id);
  if (changed.ok) redirect(`/people/${encodeURIComponent(id)}?done=${done}`);
  refresh();
  return refusedAct(form, person, { refusal: changed.refusal, words: refusalMessage });
}
