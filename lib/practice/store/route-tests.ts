import { actorName, type Actor } from "#lib/access/model/actor";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import type { Store, Tx } from "#lib/db/db";
import { now } from "#lib/platform/now";

/** The result of testing a connection, at exactly one version of it. */
export type RouteTest = { readonly at: Date; readonly ok: boolean; readonly steps: readonly ConnectionTestStep[] };

/** Keeps only the newest test. */
export async function keepRouteTest(
  tx: Tx,
  {
    routeId,
    practiceId,
    actor,
    ok,
    steps,
  }: Omit<RouteTest, "at"> & { routeId: string; practiceId: string; actor: Actor },
): Promise<void> {
  const result = { practiceId, actor: actorName(actor), ok, steps: steps.map((step) => ({ ...step })), at: now() };
  await tx.routeTest.upsert({ where: { routeId }, create: { routeId, ...result }, update: result });
}

export async function lastRouteTest(store: Store, routeId: string): Promise<RouteTest | undefined> {
  const row = await store.prisma.routeTest.findUnique({ where: { routeId } });
  // Safe because only steps of this form are stored.
  return row ? { at: row.at, ok: row.ok, steps: row.steps as unknown as readonly ConnectionTestStep[] } : undefined;
}

/** When each of these was last tested and whether it passed, by route; of those that were tested at all. */
export async function lastRouteTests(
  store: Store,
  routeIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<RouteTest, "at" | "ok">>> {
  const where = { routeId: { in: [...routeIds] } };
  const rows = await store.prisma.routeTest.findMany({ where, select: { routeId: true, at: true, ok: true } });
  return new Map(rows.map(({ routeId, at, ok }) => [routeId, { at, ok }]));
}
