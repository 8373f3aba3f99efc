import type { ConnectorName } from "#lib/payer/model/destination";
import type { Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

/** How often a payer is told that a subscription ended, over about three days. */
const triesMax = 12;

/** Most of them taken in one round. */
const batchMax = 10;

/** A subscription that stands at a payer and not here any more. */
export type EndedSubscription = {
  readonly id: string;
  readonly practiceId: string;
  readonly routeId: string;
  readonly remoteId: string;
  readonly connector: ConnectorName;
  readonly url: string;
  /** No further try follows. */
  readonly isLastTry: boolean;
};

/** Takes one try each at those that are due, so that no other worker tells as well; the next comes ever later, up to 12 hours. */
export async function claimEndedSubscriptions(store: Store): Promise<readonly EndedSubscription[]> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<Row>({
    name: "take-ended-subscriptions",
    text: `
      UPDATE ended_subscription e SET tries = e.tries + 1,
             next_try_at = clock_timestamp() + least(interval '1 minute' * power(3, least(e.tries, 10)), interval '12 hours')
        FROM route r
       WHERE r.id = e.route_id AND e.id IN (SELECT id FROM ended_subscription WHERE next_try_at <= clock_timestamp()
                                             ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING e.id, e.practice_id, e.route_id, e.remote_id, e.tries, r.connector, r.url`,
    values: [batchMax],
  });
  return rows.map(({ id, practice_id: practiceId, route_id: routeId, remote_id: remoteId, tries, connector, url }) => ({
    ...{ id, practiceId, routeId, remoteId, connector, url: url ?? "" },
    isLastTry: tries >= triesMax,
  }));
}

type Row = {
  id: string;
  practice_id: string;
  route_id: string;
  remote_id: string;
  tries: number;
  connector: ConnectorName;
  url: string | null;
};

/** Forgets one: the payer knows, or will not be told. */
export async function forgetEndedSubscription(store: Store, id: string): Promise<void> {
  await store.prisma.endedSubscription.deleteMany({ where: { id } });
}
