import type { Context } from "#lib/access/context";
import { administers, isAdmin, reaches } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { completeRules, type VoteRule } from "#lib/task/model/vote-rule";
import { loadHands, loadVoteRules, type InvitingAdmin } from "#lib/gate/shared/vote-rules";
import { findPractice, type PracticeRecord } from "#lib/practice/shared/practices";
import { hasChannel, listPracticeRecords } from "#lib/practice/store/admin-practices";
import { listRouteRecords, type RouteRecord } from "#lib/practice/store/admin-routes";
import { lastRouteTests, type RouteTest } from "#lib/practice/store/route-tests";
import { connectors } from "#lib/payer/connectors";
import { countUnmatched } from "#lib/payer/inbox/shared/count-unmatched";
import { mayAdminister } from "#lib/access/administer";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

export type { InvitingAdmin, PracticeRecord, RouteRecord, VoteRule };

/** How a payer's answers arrive between two inquiries. */
export type NotificationStatus =
  /** A person who submits by hand records what the payer answers. */
  | { readonly type: "recorded" }
  /** By inquiries alone, which report everything. */
  | { readonly type: "polled" }
  /** By inquiries alone, which do not report a request for more information. */
  | { readonly type: "polled-without-requests" }
  /** The payer sends notifications, and they arrive. */
  | { readonly type: "pushing" }
  /** The payer accepted the subscription and has sent nothing yet. */
  | { readonly type: "subscribed" }
  /** There is no subscription yet; `problem` says why the last try failed. */
  | { readonly type: "not-subscribed"; readonly problem?: string | undefined };

export function notificationStatus({ connector, settings, subscription }: RouteRecord): NotificationStatus {
  if (connector === "manual") return { type: "recorded" };
  const { pushes } = connectors[connector];
  if (!pushes) return { type: "polled" };
  if (pushes.wanted(settings) === "no") return { type: "polled-without-requests" };
  if (subscription?.confirmed) return { type: "pushing" };
  if (subscription?.subscribed) return { type: "subscribed" };
  return { type: "not-subscribed", problem: subscription?.problem ?? undefined };
}

/** Whether a payer's requests for more information may go unnoticed. */
export function missesRequests({ type }: NotificationStatus): boolean {
  return type !== "recorded" && type !== "polled" && type !== "pushing";
}

/** Every practice that the actor administers, by name. */
export async function listPractices({
  actor,
  store,
}: Context): Promise<Result<readonly PracticeRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return deny({ actor, store }, "practices");
  const list = await listPracticeRecords(store);
  return ok(list.filter(({ id }) => reaches(administers(actor), [id])));
}

export type ShownPractice = PracticeRecord & {
  readonly routes: readonly RouteRecord[];
  /** When the active version of a connection was last tested, by its route's id. */
  readonly tests: ReadonlyMap<string, Pick<RouteTest, "at" | "ok">>;
  readonly rules: readonly VoteRule[];
  /** Administrators who invited several of its reviewers. */
  readonly hands: readonly InvitingAdmin[];
  /** How many payer notifications match no case and wait for a reviewer of the practice. */
  readonly unmatched: number;
  /** A channel reaches it, perhaps one that the reader does not administer. */
  readonly isReached: boolean;
};

/** One practice with its active payer connections and the number of releases it requires. */
export async function showPractice(
  { actor, store }: Context,
  { practiceId }: { practiceId: string },
): Promise<Result<ShownPractice, AdminRefusal>> {
  if (!mayAdminister(actor, { practiceId })) return deny({ actor, store }, "practices");
  const practice = await findPractice(store, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  const rules = completeRules(await loadVoteRules(store, practiceId));
  const hands = await loadHands(store, practiceId);
  const routes = await listRouteRecords(store, practiceId);
  const tests = await lastRouteTests(
    store,
    routes.map(({ routeId }) => routeId),
  );
  const [unmatched, isReached] = [await countUnmatched(store, [practiceId]), await hasChannel(store, practiceId)];
  return ok({ ...practice, routes, tests, rules, hands, unmatched, isReached });
}

/**
 * The active payer connections of one practice, or of all practices that the actor administers. They show whether there
 * is a credential, never the credential.
 */
export async function listRoutes(
  { actor, store }: Context,
  { practiceId }: { practiceId?: string | undefined },
): Promise<Result<readonly RouteRecord[], AdminRefusal>> {
  if (!mayAdminister(actor, practiceId === undefined ? "what-it-reads" : { practiceId }))
    return deny({ actor, store }, "routes");
  const list = await listRouteRecords(store, practiceId);
  return ok(list.filter((route) => reaches(administers(actor), [route.practiceId])));
}
