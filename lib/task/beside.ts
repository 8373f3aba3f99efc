import type { ChannelActor } from "#lib/access/model/actor";
import { missingPermission } from "#lib/channel/model/authority";
import type { Store } from "#lib/db/db";
import { connectors, takesFiles } from "#lib/payer/connectors";
import { dayIn } from "#lib/platform/zoned-time";
import type { ResolvedRoute } from "#lib/practice/shared/resolved-route";
import type { Beside } from "./advice.ts";
import type { ServiceReview } from "./model/service-review.ts";
import { loadFewOtherCases } from "./store/other-cases.ts";

type NewRequest = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly review: ServiceReview;
  readonly route: ResolvedRoute;
  /** How many files the revision has. */
  readonly files: number;
  /** The case that it renews or extends. */
  readonly earlierTaskId?: string | undefined;
};

/**
 * What the reviewer's page compares a request with: the practice's providers, what of it and of its files does not reach the
 * payer, and other cases of the member. A channel that may not read tasks is not told that there are any.
 */
export async function besideOf(store: Store, reader: ChannelActor, of: NewRequest): Promise<Beside> {
  const { practice, destination } = of.route;
  // A person who submits by hand leaves nothing out.
  const isByHand = destination.connector === "manual";
  return {
    providers: practice.providers,
    files: { count: of.files, left: of.files > 0 && !isByHand && !takesFiles(destination) },
    leftOut: isByHand ? [] : connectors[destination.connector].leftOut(of.review, destination.settings),
    others: await othersOf(store, reader, of),
  };
}

async function othersOf(
  store: Store,
  reader: ChannelActor,
  { taskId, practiceId, review, route, earlierTaskId }: NewRequest,
): Promise<Beside["others"]> {
  const { memberId } = review.subscriber ?? {};
  if (memberId === undefined || missingPermission(reader, { atom: "tasks_get", practiceId })) return [];
  const codes = review.procedures.map(({ code }) => code);
  const others = await loadFewOtherCases(store, { taskId, practiceId, memberId, codes });
  return others.map(({ createdAt, ...other }) => ({
    ...other,
    openedOn: dayIn(route.practice.timeZone, createdAt),
    isEarlier: other.taskId === earlierTaskId,
  }));
}
