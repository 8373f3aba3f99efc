import type { Reach } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";

/** These practices by name, and whether their requests are released without a person. */
export async function practicesNamed(
  { prisma }: Store,
  reach: Reach,
): Promise<readonly { readonly id: string; readonly name: string; readonly autoReview: boolean }[]> {
  return prisma.practice.findMany({
    ...(reach === "every" ? {} : { where: { id: { in: [...reach] } } }),
    select: { id: true, name: true, autoReview: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}
