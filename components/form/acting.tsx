import { proofAnswer, proofField, signedOutAnswer, textOf, type ActAnswer } from "./act-answer.tsx";
import { busyText } from "#lib/messages/account";
import { currentPerson, proofKind, stepUp } from "#lib/person/session/person";
import type { PersonActor } from "#lib/access/model/actor";

type Acting =
  | { readonly person: PersonActor; readonly answer?: undefined }
  | { readonly person?: undefined; readonly answer: ActAnswer };

/** Who sends a form, with what its proof field proves; or the answer where nobody does, or it proves nothing. */
export async function acting(form: FormData): Promise<Acting> {
  const person = await currentPerson();
  if (!person) return { answer: signedOutAnswer(form) };
  const typed = textOf(form, proofField);
  if (typed === "") return { person };
  const proved = await stepUp(person, { typed });
  if (proved === "busy") return { answer: { ...(await askProof(form, person)), alert: busyText } };
  return proved ? { person: proved } : { answer: await askProof(form, person) };
}

/** The answer where what was asked for takes a new proof. */
export async function askProof(form: FormData, person: PersonActor): Promise<ActAnswer> {
  return proofAnswer(form, await proofKind(person));
}
