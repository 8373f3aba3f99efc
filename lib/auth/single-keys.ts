"use server";

import { saveSingleKeys } from "#lib/store/single-keys";
import { sharedStore } from "#lib/store/db";
import { currentPerson } from "./person.ts";

/** Keeps whether single characters are shortcuts, for whoever asks and for nobody else. */
export async function chooseSingleKeys(on: boolean): Promise<void> {
  const person = await currentPerson();
  if (person && typeof on === "boolean") await saveSingleKeys(sharedStore(), person.id, on);
}
