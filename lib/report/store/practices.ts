import type { Reach } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";

/** These practices by name. */
export async function practicesNamed(
  { prisma }: Store,
  reach: Reach,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return prisma.practice.findMany({
    ...(reach === "every" ? {} : { where: { id: { in: [...reach] } } }),
    select: { id: true, name: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}
