"use server";

import { refresh } from "next/cache";
import { noAnswer, refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "#components/form/act-answer";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { handleUnmatched } from "#lib/payer/inbox/unmatched-pushes";

/** Takes a notification that matched no case off the list. */
export async function markAsHandled(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const done = await handleUnmatched(contextOf(person), { id: textOf(form, "id") });
  refresh();
  if (done.ok) return noAnswer;
  await noteRefusal(done.refusal.type, person);
  return refusedAnswer(form, { alert: "This notification isn't on your list. Nothing was changed.", problems: {} });
}
