"use server";

import { refresh } from "next/cache";
import { refusedAnswer, secretAnswer, signedOutAnswer, textOf, textsOf, type ActAnswer } from "#components/act-answer";
import { createChannel } from "#lib/admin/create-channel";
import { refusalWords } from "#lib/admin/refusal-words";
import { contextOf, currentPerson } from "#lib/auth/person";

/** Makes a channel. Its key is in the answer alone, this one time, and never in an address. */
export async function makeChannel(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const made = await createChannel(contextOf(person), {
    id: textOf(form, "channelId"),
    name: textOf(form, "name"),
    practices: textsOf(form, "practices"),
    atoms: textsOf(form, "atoms"),
    keyDays: textOf(form, "keyDays"),
  });
  if (!made.ok) return refusedAnswer(form, refusalWords(made.refusal));
  refresh();
  return secretAnswer(made.value.key);
}
