import type { Store } from "#lib/db/db";
import { knownWord } from "#lib/platform/known-word";
import { environments as all, type Environment } from "#lib/task/model/environment";

type Choice = { readonly id: string; readonly name: string };

/** The choices for narrowing the lists of these practices. */
export type Choices = {
  readonly practices: readonly Choice[];
  readonly payers: readonly Choice[];
  readonly channels: readonly Choice[];
  /** Those that cases of the practices can be of. */
  readonly environments: readonly Environment[];
};

/** The practices themselves, the payers that they list or are connected to, and the channels that reach them. */
export async function loadChoices(store: Store, practices: readonly string[]): Promise<Choices> {
  const { rows } = await store.pool.query<Choice & { kind: keyof Choices }>({
    name: "queue-choices",
    text: `
      SELECT 'practices' AS kind, id, name FROM practice WHERE id = ANY ($1::text[])
      UNION ALL
      SELECT 'payers', payer_id, coalesce(max(listed), max(connected), payer_id)
        FROM (SELECT payer_id, name AS listed, NULL AS connected FROM payer WHERE practice_id = ANY ($1::text[])
              UNION ALL
              SELECT payer_id, NULL, payer_name FROM route WHERE practice_id = ANY ($1::text[])) known
       GROUP BY payer_id
      UNION ALL
      SELECT 'channels', c.id::text, c.name FROM channel c WHERE EXISTS (
        SELECT FROM channel_practice cp WHERE cp.channel_id = c.id AND cp.practice_id = ANY ($1::text[]))
      UNION
      SELECT 'environments', environment, environment FROM practice WHERE id = ANY ($1::text[])
      UNION
      SELECT 'environments', environment, environment FROM route WHERE practice_id = ANY ($1::text[])
      ORDER BY 3, 2`,
    values: [practices],
  });
  const of = (kind: keyof Choices) => rows.filter((row) => row.kind === kind);
  const environments = of("environments").map(({ id }) => knownWord(all, id, "environment"));
  return { practices: of("practices"), payers: of("payers"), channels: of("channels"), environments };
}

/** The people who can make somebody a reviewer of a practice. */
export async function loadAdmins(
  store: Store,
  max: number,
): Promise<readonly { id: string; name: string; email: string }[]> {
  return store.prisma.person.findMany({
    where: { OR: [{ everywhere: { has: "admin" } }, { everywhereByGroup: { has: "admin" } }], status: "active" },
    select: { id: true, name: true, email: true },
    orderBy: { name: "asc" },
    take: max,
  });
}
