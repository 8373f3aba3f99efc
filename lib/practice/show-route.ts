import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { listRouteRecords, type RouteRecord } from "#lib/practice/store/admin-routes";
import { lastRouteTest, type RouteTest } from "#lib/practice/store/route-tests";
import { listVersions, type Subject } from "#lib/access/shared/settings-versions";
import { mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";
import { afterEveryVersion, versionPage, versionsShown, type VersionPage } from "#lib/access/version-page";

export type { RouteTest };

export type ShownRoute = {
  readonly practice: PracticeRecord;
  readonly route: RouteRecord;
  /** The last test of this version. */
  readonly test: RouteTest | undefined;
};

/** An active payer connection with its last test; never its credential. */
export async function showRoute(
  { actor, store }: Context,
  { practiceId, payerId }: { readonly practiceId: string; readonly payerId: string },
): Promise<Result<ShownRoute, AdminRefusal>> {
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "routes");
  const practice = await findPractice(store, practiceId);
  const route = (await listRouteRecords(store, practiceId)).find((each) => each.payerId === payerId);
  if (!practice || !route) return refuse({ type: "not-found", what: "route" });
  return ok({ practice, route, test: await lastRouteTest(store, route.routeId) });
}

/**
 * The versions of a practice's settings, or of one of its payer connections where a payer is given, newest first, each
 * with its changes by field. For a credential they only show that it changed.
 */
export async function showVersions(
  { actor, store }: Context,
  query: { readonly practiceId: string; readonly payerId?: string | undefined; readonly before?: number | undefined },
): Promise<Result<VersionPage & { readonly practice: PracticeRecord }, AdminRefusal>> {
  const { practiceId, payerId, before = afterEveryVersion } = query;
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "practices");
  const practice = await findPractice(store, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  const subject: Subject = payerId === undefined ? "practice" : `route:${payerId}`;
  const versions = await listVersions(store, { practiceId, subject, before, limit: versionsShown });
  return ok({ practice, ...versionPage(versions) });
}
