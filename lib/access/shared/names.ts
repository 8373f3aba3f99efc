import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

/** The current names of these people and practices, by id. */
export async function namesOf({ prisma }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, name: true } as const;
  const [people, practices] = await Promise.all([
    prisma.person.findMany({ where: { id: { in: ids.filter(isUuid) } }, select }),
    prisma.practice.findMany({ where: { id: { in: [...ids] } }, select }),
  ]);
  return new Map([...people, ...practices].map(({ id, name }) => [id, name]));
}
