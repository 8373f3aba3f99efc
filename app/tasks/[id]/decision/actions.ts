"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { formOf, proofField, textOf } from "#components/form/act-answer";
import { instantText } from "#components/text/time";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson, stepUp } from "#lib/person/session/person";
import type { PersonActor } from "#lib/access/model/actor";
import type { GivenDocument } from "#lib/task/payer-document";
import type { Refusal } from "#lib/task/refusal";
import { reviewTask } from "#lib/task/review-task";
import { noAnswer, typedIn, type Alert, type Answer } from "./answer.ts";
import { isPossible, runs } from "./intents.ts";
import { refusalText } from "#lib/messages/reviewer/refusals";

/** Carries out one decision. The verb decides whether it may be; what was typed comes back when it may not. */
export async function decide(_: Answer, posted: FormData): Promise<Answer> {
  const form = formOf(posted);
  const { intent = "", ...typed } = typedIn(form);
  const proof = textOf(form, proofField);
  const signedIn = await currentPerson();
  if (!signedIn) return { intent, typed, alert: signedOut };
  if (!isPossible(intent)) {
    await noteRefusal("invalid", signedIn);
    return { intent, typed, alert: notUnderstood };
  }
  const person = proof === "" ? signedIn : await stepUp(signedIn, { typed: proof });
  if (person === "busy") return { intent, typed, alert: busy };
  if (!person) return { intent, typed, alert: notProved };
  const done = await runs[intent](contextOf(person), typed, await documentOf(form));
  if (done.ok && !(await isOfScript())) redirect(`/tasks/${encodeURIComponent(typed.taskId ?? "")}`);
  refresh();
  if (done.ok) return noAnswer;
  return refused({ person, intent, typed, refusal: done.refusal });
}

/**
 * Whether the page itself sends this and draws itself anew in place. A form sent without JavaScript is answered with
 * a page of its own instead, so that loading that one again sends nothing.
 */
async function isOfScript(): Promise<boolean> {
  return (await headers()).has("next-action");
}

const signedOut: Alert = {
  title: "Your session has ended",
  text: "Nothing was done. Sign in again in another tab, then press the button again; what you typed is still here.",
  changes: [],
};

const notProved: Alert = {
  title: "That did not prove who you are",
  text: "Nothing was done. Check what you typed; a code works once, and after five wrong tries even the right one has to wait a minute.",
  changes: [],
};

const busy: Alert = {
  title: "Many people are signing in just now",
  text: "Nothing was done. Try again in a moment; what you typed is still here.",
  changes: [],
};

const notUnderstood: Alert = { title: "That was not understood", text: "Nothing was done.", changes: [] };

type Refused = {
  readonly person: PersonActor;
  readonly intent: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly refusal: Refusal;
};

async function refused({ person, intent, typed, refusal }: Refused): Promise<Answer> {
  await noteRefusal(refusal.type, person);
  const alert = refusalText(refusal, (instant) => instantText(instant, "full", typed.zone ?? "UTC"));
  const stands = await reviewTask(contextOf(person), { taskId: typed.taskId ?? "" });
  const caseChangedAt = stands.ok ? stands.value.changedAt.toISOString() : undefined;
  return { intent, typed, alert, caseChangedAt };
}

async function documentOf(form: FormData): Promise<GivenDocument | undefined> {
  const file = form.get("document");
  if (!(file instanceof File) || file.size === 0) return undefined;
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
