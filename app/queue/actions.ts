"use server";

import { redirect } from "next/navigation";
import { textOf } from "#components/form/act-answer";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { searchCases } from "#lib/queue/search-cases";
import { addressOf } from "#lib/queue/queue-address";

/** Looks for a case and goes to where it is found. What was typed is posted, for it may be of a patient. */
export async function findCases(form: FormData): Promise<void> {
  const person = await currentPerson();
  if (!person) redirect("/sign-in?next=%2Fqueue");
  const found = await searchCases(contextOf(person), textOf(form, "text"));
  if (!found.ok) await noteRefusal(found.refusal.type, person);
  redirect(found.ok ? addressOf(found.value) : "/queue?problem=search");
}
