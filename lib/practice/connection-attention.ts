import type { Context } from "#lib/access/context";
import type { AdminRefusal } from "#lib/access/refusal";
import { ok, type Result } from "#lib/platform/result";
import { lastRouteTests } from "#lib/practice/store/route-tests";
import { listRoutes, missesRequests, notificationStatus } from "./list-practices.ts";

/** A practice, and how many of its payer connections need an administrator. */
export type PracticeAttention = { readonly practiceId: string; readonly count: number };

/**
 * The practices that the actor administers with payer connections whose last test failed, or over which the payer's
 * requests for information may go unnoticed.
 */
export async function connectionsNeedingAttention(
  ctx: Context,
): Promise<Result<readonly PracticeAttention[], AdminRefusal>> {
  const routes = await listRoutes(ctx, {});
  if (!routes.ok) return routes;
  const tests = await lastRouteTests(
    ctx.store,
    routes.value.map(({ routeId }) => routeId),
  );
  const needing = routes.value.filter(
    (route) => tests.get(route.routeId)?.ok === false || missesRequests(notificationStatus(route)),
  );
  const byPractice = Map.groupBy(needing, ({ practiceId }) => practiceId);
  return ok([...byPractice].map(([practiceId, list]) => ({ practiceId, count: list.length })));
}
