"use server";

import { refresh } from "next/cache";
import { secretAnswer, textOf, textsOf, type ActAnswer } from "#components/form/act-answer";
import { acting, refusedAct } from "#components/form/acting";
import { createChannel } from "#lib/channel/create-channel";
import { refusalMessage } from "#lib/messages/admin-refusals";
import { contextOf } from "#lib/person/session/person";

/** Makes a channel. Its key is in the answer alone, this one time, and never in an address. */
export async function makeChannel(_: ActAnswer, form: FormData): Promise<ActAnswer> {
  const { person, answer } = await acting(form);
  if (answer) return answer;
  const made = await createChannel(contextOf(person), {
    id: textOf(form, "channelId"),
    name: textOf(form, "name"),
    practices: textsOf(form, "practices"),
    atoms: textsOf(form, "atoms"),
    keyDays: textOf(form, "keyDays"),
  });
  if (!made.ok) return refusedAct(form, person, { refusal: made.refusal, words: refusalMessage });
  refresh();
  return secretAnswer(made.value.key);
}
