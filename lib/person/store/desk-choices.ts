import type { Store } from "#lib/db/db";

/** How somebody likes to work at the desk; what is missing stays. */
export type DeskChoices = {
  /** Whether single characters are shortcuts. */
  readonly singleKeys?: boolean;
  /** Whether the next case to decide opens after a decision. */
  readonly opensNext?: boolean;
};

export async function saveDeskChoices(store: Store, personId: string, choices: DeskChoices): Promise<void> {
  await store.prisma.person.update({ where: { id: personId }, data: choices });
}
