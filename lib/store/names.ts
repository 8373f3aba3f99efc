import type { Store } from "./db.ts";
import { isUuid } from "./load-task.ts";

/** What these people and practices are called now, by their ids. */
export async function namesOf({ prisma }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, name: true } as const;
  const [people, practices] = await Promise.all([
    prisma.person.findMany({ where: { id: { in: ids.filter(isUuid) } }, select }),
    prisma.practice.findMany({ where: { id: { in: [...ids] } }, select }),
  ]);
  return new Map([...people, ...practices].map(({ id, name }) => [id, name]));
}
