import type { Reach } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";

/** These practices by name, and whether requests of theirs are or ever were released without a person. */
export async function practicesNamed(
  { prisma }: Store,
  reach: Reach,
): Promise<readonly { readonly id: string; readonly name: string; readonly hasAutoReleases: boolean }[]> {
  const wasOn = { subject: "practice", state: { path: ["autoReview"], equals: true } };
  const rows = await prisma.practice.findMany({
    ...(reach === "every" ? {} : { where: { id: { in: [...reach] } } }),
    select: {
      ...{ id: true, name: true, autoReview: true },
      settingsVersions: { where: wasOn, select: { version: true }, take: 1 },
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return rows.map(({ id, name, autoReview, settingsVersions }) => ({
    ...{ id, name },
    hasAutoReleases: autoReview || settingsVersions.length > 0,
  }));
}
