import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

/** What these channels are called, by their ids. */
export async function channelNames(
  { prisma }: Store,
  ids: readonly string[],
): Promise<readonly (readonly [id: string, name: string])[]> {
  const where = { id: { in: ids.filter(isUuid) } };
  const rows = await prisma.channel.findMany({ where, select: { id: true, name: true } });
  return rows.map(({ id, name }) => [id, name] as const);
}
