import { connectorNames, type ConnectorName } from "#lib/payer/model/destination";
import { knownWord } from "#lib/platform/known-word";
import type { Store } from "#lib/db/db";
import { acrossPractices } from "#lib/db/for-practices";

/** How often to try to delete a subscription at the payer, over about three days. */
const triesMax = 12;

/** The most that one round takes. */
const batchMax = 10;

/** A subscription that the payer still has and that has ended here. */
export type EndedSubscription = {
  readonly id: string;
  readonly practiceId: string;
  readonly routeId: string;
  readonly remoteId: string;
  readonly connector: ConnectorName;
  readonly url: string;
  /** There will be no further try. */
  readonly isLastTry: boolean;
};

/**
 * Claims one try for each that is due, so that no other worker tries too. The next try comes later each time, up to 12
 * hours.
 */
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
    ...{ id, practiceId, routeId, remoteId, url: url ?? "" },
    connector: knownWord(connectorNames, connector, "route.connector"),
    isLastTry: tries >= triesMax,
  }));
}

type Row = {
  id: string;
  practice_id: string;
  route_id: string;
  remote_id: string;
  tries: number;
  connector: string;
  url: string | null;
};

/** Removes one: the payer has deleted it, or there will be no more tries. */
export async function forgetEndedSubscription(store: Store, id: string): Promise<void> {
  await store.prisma.endedSubscription.deleteMany({ where: { id } });
}
