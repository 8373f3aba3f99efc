import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { TryStep } from "#lib/payer/model/try-step";
import { connectors } from "#lib/payer/connectors";
import { loadAccess, resolveRoute } from "#lib/practice/store/resolved-route";
import { keepRouteTest } from "#lib/practice/store/route-tests";
import { administer, mayAdminister } from "#lib/access/administer";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

/** The longest a whole test may take. */
const testMs = 30_000;

export type RouteTestResult = { readonly version: number; readonly ok: boolean; readonly steps: readonly TryStep[] };

/**
 * Tries the route in force as a submission would walk it, and sends nothing of
 * any patient: whether its address may be reached and shows a good certificate,
 * whether a token is given, whether the answer is understood. What it came to
 * is kept as the last test of that version. By hand there is nothing to test.
 */
export async function testRoute(
  ctx: Context,
  { practiceId, payerId }: { readonly practiceId: string; readonly payerId: string },
): Promise<Result<RouteTestResult, AdminRefusal>> {
  const { actor, store } = ctx;
  if (!mayAdminister(actor, { practiceId })) return denied(ctx, "change");
  const way = await resolveRoute(store, practiceId, payerId);
  if (!way?.configured) return refuse({ type: "not-found", what: "route" });
  const { destination } = way;
  const { tryOut } = connectors[destination.connector];
  if (!tryOut) return refuse({ type: "invalid", issues: [{ field: "connector", problem: byHand }] });
  const { routeId, version } = destination;
  const { credential, route } = await loadAccess(store, routeId);
  const steps = await tryOut(destination, { credential, route, signal: AbortSignal.timeout(testMs) });
  const failed = steps.find((step) => !step.ok);
  const tested = { version, ok: failed === undefined, steps };
  return administer(ctx, { practiceId }, async (tx) => {
    await keepRouteTest(tx, { routeId, practiceId, actor, ...tested });
    const detail = { payer: payerId, version, ok: tested.ok, ...(failed ? { failed: failed.name } : {}) };
    return ok({ value: tested, chain: practiceId, entries: [{ act: "route.tested", detail }] });
  });
}

const byHand = "is by hand: a person carries it, so there is no connection to test";
