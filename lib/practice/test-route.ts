import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import { connectors } from "#lib/payer/connectors";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { keepRouteTest } from "#lib/practice/store/route-tests";
import { administer, mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceProblems } from "#lib/messages/problems/admin";

/** The longest that a whole test may take. */
const testMs = 30_000;

export type RouteTestResult = {
  readonly version: number;
  readonly ok: boolean;
  readonly steps: readonly ConnectionTestStep[];
};

/**
 * Tests the active payer connection as a submission uses it, without any patient data: whether its address is
 * reachable and has a valid certificate, whether a token is issued, whether the answer is readable. Keeps the result as
 * the last test of that version. Refuses manual submission, which has no connection to test.
 */
export async function testRoute(
  ctx: Context,
  { practiceId, payerId }: { readonly practiceId: string; readonly payerId: string },
): Promise<Result<RouteTestResult, AdminRefusal>> {
  const { actor, store } = ctx;
  if (!mayAdminister(actor, { practiceId })) return deny(ctx, "change");
  const resolved = await resolveRoute(store, practiceId, payerId);
  if (!resolved?.destination.routeId) return refuse({ type: "not-found", what: "route" });
  const { destination } = resolved;
  const { testConnection } = connectors[destination.connector];
  if (!testConnection) return refuse({ type: "invalid", issues: [{ field: "connector", problem: manualProblem }] });
  const { routeId, version } = destination;
  const { credential, route } = await loadAccess(store, routeId);
  const steps = await testConnection(destination, { credential, route, signal: AbortSignal.timeout(testMs) });
  const failed = steps.find((step) => !step.ok);
  const tested = { version, ok: failed === undefined, steps };
  return administer(ctx, { practiceId }, async (tx) => {
    await keepRouteTest(tx, { routeId, practiceId, actor, ...tested });
    const detail = { payer: payerId, version, ok: tested.ok, ...(failed ? { failed: failed.name } : {}) };
    return ok({ value: tested, chain: practiceId, entries: [{ act: "route.tested", detail }] });
  });
}

const manualProblem = practiceProblems.manualConnection;
