import { proofAnswer, proofField, signedOutAnswer, textOf, type ActAnswer } from "./act-answer.tsx";
import { busyText } from "#lib/messages/busy";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson, proofKind, stepUp } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";

/** Who sends a form, as a verb takes them, and the answer instead of the act; at least one of the two is there. */
export type Sender<Ctx> = { readonly ctx: Ctx; readonly answer?: ActAnswer } | { readonly answer: ActAnswer };

/** The signed-in person, with what the form's proof field proves. The answer where nobody is, or it proves nothing. */
export async function signedInSender(form: FormData): Promise<Sender<Context<PersonActor>>> {
  const person = await currentPerson();
  if (!person) {
    await noteRefusal("signed-out");
    return { answer: signedOutAnswer(form) };
  }
  const typed = textOf(form, proofField);
  if (typed === "") return { ctx: contextOf(person) };
  const proved = await stepUp(person, { typed });
  if (typeof proved === "object") return { ctx: contextOf(proved) };
  await noteRefusal(proved === "busy" ? "busy" : "proof-wrong", person);
  const answer = await askProof(form, person);
  return { ctx: contextOf(person), answer: proved === "busy" ? { ...answer, alert: busyText } : answer };
}

/** The answer where what was asked for takes a new proof. */
export async function askProof(form: FormData, person: PersonActor): Promise<ActAnswer> {
  return proofAnswer(form, await proofKind(person));
}
