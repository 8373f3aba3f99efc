"use server";

import { refresh } from "next/cache";
import { noAnswer, refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "#components/form/act-answer";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { assignTask } from "#lib/queue/assign-task";
import { claimTask } from "#lib/queue/claim-task";
import type { DeskRefusal } from "#lib/task/desk-refusal";
import { unclaimTask } from "#lib/queue/unclaim-task";
import { writeNote } from "#lib/queue/write-note";
import { deskWords } from "./desk-words.ts";

/** Claims the case, or takes it over from whom the page names. */
export async function claim(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const from = textOf(form, "from") || undefined;
  return acted(form, (ctx) => claimTask(ctx, { taskId: textOf(form, "taskId"), from }));
}

/** Gives one's own claim up. */
export async function letGo(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  return acted(form, (ctx) => unclaimTask(ctx, { taskId: textOf(form, "taskId") }));
}

/** Assigns the case, over the assignment that was shown. */
export async function assign(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [from, to] = [textOf(form, "from") || undefined, textOf(form, "to") || undefined];
  return acted(form, (ctx) => assignTask(ctx, { taskId: textOf(form, "taskId"), from, to }));
}

/** Adds a note among reviewers. */
export async function writeCaseNote(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const [taskId, noteId, text] = [textOf(form, "taskId"), textOf(form, "noteId"), textOf(form, "text")];
  return acted(form, (ctx) => writeNote(ctx, { taskId, noteId, text }));
}

type Verb = (ctx: Context<PersonActor>) => Promise<Result<unknown, DeskRefusal>>;

/** The page is drawn again in either case; nothing typed into its other forms is lost by it. */
async function acted(form: FormData, verb: Verb): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const done = await verb(contextOf(person));
  refresh();
  if (done.ok) return noAnswer;
  await noteRefusal(done.refusal.type, person);
  return refusedAnswer(form, deskWords(done.refusal));
}
