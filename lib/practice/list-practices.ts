import type { Context } from "#lib/access/context";
import { administers, isAdmin, reaches } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { completeRules, type VoteRule } from "#lib/task/model/vote-rule";
import { loadHands, loadVoteRules, type InvitingAdmin } from "#lib/gate/store/vote-rules";
import { findPractice, listPracticeRecords, type PracticeRecord } from "#lib/practice/store/admin-practices";
import { listRouteRecords, type RouteRecord } from "#lib/practice/store/admin-routes";
import { connectors } from "#lib/payer/connectors";
import { countUnmatched } from "#lib/payer/inbox/store/unmatched-pushes";
import { mayAdminister } from "#lib/access/administer";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

export type { InvitingAdmin, PracticeRecord, RouteRecord, VoteRule };

/** How a route's payer is heard of between two questions, in words; `deaf` where something goes unheard. */
export function notificationStatus({ connector, settings, subscription }: RouteRecord): {
  deaf: boolean;
  text: string;
} {
  const { pushes } = connectors[connector];
  if (!pushes) return { deaf: false, text: "is asked" };
  if (!pushes.wanted(settings)) return { deaf: true, text: "is asked, and requests for more go unheard" };
  if (subscription?.confirmed) return { deaf: false, text: "pushes" };
  if (subscription?.subscribed) return { deaf: true, text: "agreed to push, and has not come yet" };
  return { deaf: true, text: subscription?.problem ?? "will be asked to push" };
}

/** Every practice they are an admin of, by name. */
export async function listPractices({
  actor,
  store,
}: Context): Promise<Result<readonly PracticeRecord[], AdminRefusal>> {
  if (!isAdmin(actor)) return denied({ actor, store }, "practices");
  const list = await listPracticeRecords(store);
  return ok(list.filter(({ id }) => reaches(administers(actor), [id])));
}

type ShownPractice = PracticeRecord & {
  readonly routes: readonly RouteRecord[];
  readonly rules: readonly VoteRule[];
  /** The administrators who let in several of its reviewers. */
  readonly hands: readonly InvitingAdmin[];
  /** Payer notifications that match no case and wait for one of its reviewers; an administrator sees how many. */
  readonly unmatched: number;
};

/** One practice with the routes in force and what it asks for before a release. */
export async function showPractice(
  { actor, store }: Context,
  { practiceId }: { practiceId: string },
): Promise<Result<ShownPractice, AdminRefusal>> {
  if (!mayAdminister(actor, { practiceId })) return denied({ actor, store }, "practices");
  const practice = await findPractice(store, practiceId);
  if (!practice) return refuse({ type: "not-found", what: "practice" });
  const rules = completeRules(await loadVoteRules(store, practiceId));
  const hands = await loadHands(store, practiceId);
  const routes = await listRouteRecords(store, practiceId);
  return ok({ ...practice, routes, rules, hands, unmatched: await countUnmatched(store, [practiceId]) });
}

/** The routes in force, of one practice or of all they are an admin of. Whether there is a credential is told, never the credential. */
export async function listRoutes(
  { actor, store }: Context,
  { practiceId }: { practiceId?: string | undefined },
): Promise<Result<readonly RouteRecord[], AdminRefusal>> {
  if (!mayAdminister(actor, practiceId === undefined ? "what-it-reads" : { practiceId }))
    return denied({ actor, store }, "routes");
  const list = await listRouteRecords(store, practiceId);
  return ok(list.filter((route) => reaches(administers(actor), [route.practiceId])));
}
