import { proofAnswer, proofField, refusedAnswer, signedOutAnswer, textOf, type ActAnswer } from "./act-answer.tsx";
import { noteRefusal } from "#lib/person/session/note-refusal";
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

/** Said where too many sign in or prove themselves at once. */
const busyText = "Many people are signing in just now. Nothing was done: try again in a moment.";

/** The answer where what was asked for takes a new proof. */
export async function askProof(form: FormData, person: PersonActor): Promise<ActAnswer> {
  return proofAnswer(form, await proofKind(person));
}

/** The answer where an act was refused, with a line in the log; what takes a new proof asks for it instead. */
export async function refusedAct<Refusal extends { readonly type: string }>(
  form: FormData,
  person: PersonActor,
  { refusal, words }: { refusal: Refusal; words: (refusal: Refusal) => Pick<ActAnswer, "alert" | "problems"> },
): Promise<ActAnswer> {
  if (refusal.type === "proof-needed") return askProof(form, person);
  await noteRefusal(refusal.type, person);
  return refusedAnswer(form, words(refusal));
}
