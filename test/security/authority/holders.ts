import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { powersOf, type Grant } from "#lib/access/model/grant";
import type { Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { aPerson } from "#test/support/cases/cases";

/** The roles somebody has, in the practice that is asked about and in another one. */
const holders = {
  "a reviewer here": (here) => [{ role: "reviewer", practiceId: here }],
  "a reviewer here and elsewhere": (here, elsewhere) => [
    { role: "reviewer", practiceId: elsewhere },
    { role: "reviewer", practiceId: here },
  ],
  "a reviewer and admin here": (here) => [
    { role: "reviewer", practiceId: here },
    { role: "admin", practiceId: here },
  ],
  "an admin here": (here) => [{ role: "admin", practiceId: here }],
  "an admin here and elsewhere": (here, elsewhere) => [
    { role: "admin", practiceId: elsewhere },
    { role: "admin", practiceId: here },
  ],
  "an admin of every practice": () => [{ role: "admin" }],
  "an auditor here": (here) => [{ role: "auditor", practiceId: here }],
  "an auditor of every practice": () => [{ role: "auditor" }],
  "a reviewer elsewhere": (_, elsewhere) => [{ role: "reviewer", practiceId: elsewhere }],
  "an admin elsewhere": (_, elsewhere) => [{ role: "admin", practiceId: elsewhere }],
  "an auditor elsewhere": (_, elsewhere) => [{ role: "auditor", practiceId: elsewhere }],
  "an admin elsewhere who reviews and audits here": (here, elsewhere) => [
    { role: "admin", practiceId: elsewhere },
    { role: "reviewer", practiceId: here },
    { role: "auditor", practiceId: here },
  ],
  "nobody any more": () => [],
} satisfies Record<string, (here: string, elsewhere: string) => readonly Grant[]>;

export type Holder = keyof typeof holders;

// Safe because these are the keys it was written with.
export const everybody = Object.keys(holders) as Holder[];

export const reviewersHere = [
  "a reviewer here",
  "a reviewer here and elsewhere",
  "a reviewer and admin here",
  "an admin elsewhere who reviews and audits here",
] as const satisfies Holder[];

export const adminsEverywhere = ["an admin of every practice"] as const satisfies Holder[];

export const adminsHere = [
  "a reviewer and admin here",
  "an admin here",
  "an admin here and elsewhere",
  ...adminsEverywhere,
] as const satisfies Holder[];

/** Those who administer anything at all. */
export const allAdmins = [
  ...adminsHere,
  "an admin elsewhere",
  "an admin elsewhere who reviews and audits here",
] as const satisfies Holder[];

/** Those who may see how the work of the practice goes. */
export const reportReaders = [...new Set<Holder>([...reviewersHere, ...adminsHere])];

/** Those who may read the record of the practice. */
export const recordReaders = [
  ...adminsHere,
  "an auditor here",
  "an auditor of every practice",
  "an admin elsewhere who reviews and audits here",
] as const satisfies Holder[];

type Places = { readonly here: string; readonly elsewhere: string };

/** The same people for every practice asked about, each with exactly their roles, who have just proved who they are. */
export async function thePeople(store: Store): Promise<(holder: Holder, places: Places) => Context<PersonActor>> {
  const people = new Map<Holder, PersonActor>();
  for (const holder of everybody)
    people.set(holder, (await aPerson(store, { practices: [], roles: [], name: holder })).actor);
  return (holder, { here, elsewhere }) => {
    const person = people.get(holder);
    if (!person) throw new Error(`Nobody is ${holder}.`);
    const actor: PersonActor = { ...person, provedAt: new Date(), ...powersOf(holders[holder](here, elsewhere)) };
    return { actor, store: storeForPerson(store, actor) };
  };
}
