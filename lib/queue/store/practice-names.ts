import type { Store } from "#lib/db/db";

/** These practices by name. */
export async function practiceNames(
  { prisma }: Store,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return prisma.practice.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}
