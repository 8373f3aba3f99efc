import type { Store } from "#lib/db/db";

/** Saves whether single characters are shortcuts for a person. */
export async function saveSingleKeys(store: Store, personId: string, on: boolean): Promise<void> {
  await store.prisma.person.update({ where: { id: personId }, data: { singleKeys: on } });
}

/** Saves whether the next case to decide opens after a decision of a person. */
export async function saveOpensNext(store: Store, personId: string, on: boolean): Promise<void> {
  await store.prisma.person.update({ where: { id: personId }, data: { opensNext: on } });
}
