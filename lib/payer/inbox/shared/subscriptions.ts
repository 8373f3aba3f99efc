import {
  connectorNames,
  isSameServer,
  type ConnectorName,
  type Destination,
  type RouteSettings,
} from "#lib/payer/model/destination";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { openText, sealText } from "#lib/db/sealed";
import { now } from "#lib/platform/now";
import { acrossPractices } from "#lib/db/for-practices";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";

const nobody = "00000000-0000-0000-0000-000000000000";

/** How a payer's notifications reach us: the address of one connection, with the secret that the payer must present. */
export type PushDoor = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly connector: ConnectorName;
  readonly secret: string;
};

/**
 * The address of this connection. Undefined if no payer was ever given it, or if the active connection reaches another
 * server: whoever was given the address then no longer counts.
 */
export async function loadPushDoor(store: Store, routeId: string): Promise<PushDoor | undefined> {
  const { rows } = await acrossPractices(store, "payer-notification").pool.query<DoorRow>({
    name: "push-door",
    text: `
      SELECT s.route_id, s.secret, r.practice_id, r.payer_id, r.connector, r.url, r.environment, now.server AS now
        FROM subscription s JOIN route r ON r.id = s.route_id
        JOIN LATERAL (SELECT jsonb_build_object('connector', n.connector, 'url', n.url, 'environment', n.environment) AS server
                        FROM route n WHERE n.practice_id = r.practice_id AND n.payer_id = r.payer_id
                       ORDER BY n.version DESC LIMIT 1) now ON true
       WHERE s.route_id = $1`,
    // A lookup is made even without an id, so that it takes the same time.
    values: [routeId || nobody],
  });
  const [row] = rows;
  if (!row) return undefined;
  const server = serverOf(row);
  if (!isSameServer(server, serverOf(row.now))) return undefined;
  await store.keys.ready([row.practice_id]);
  return {
    routeId: row.route_id,
    practiceId: row.practice_id,
    payerId: row.payer_id,
    connector: server.connector,
    secret: openText(store, "subscription.secret", { row: row.route_id, practiceId: row.practice_id }, row.secret),
  };
}

type ServerRow = { connector: string; url: string | null; environment: string };

function serverOf({ connector, url, environment }: ServerRow): Parameters<typeof isSameServer>[0] {
  return {
    url,
    connector: knownWord(connectorNames, connector, "route.connector"),
    environment: knownWord(environments, environment, "route.environment"),
  };
}

type DoorRow = ServerRow & {
  route_id: string;
  secret: Uint8Array;
  practice_id: string;
  payer_id: string;
  now: ServerRow;
};

/** Records the first notification that came through this address; later ones change nothing. */
export async function confirmSubscription(store: Store, routeId: string): Promise<void> {
  await store.pool.query({
    name: "confirm-subscription",
    text: "UPDATE subscription SET confirmed_at = clock_timestamp() WHERE route_id = $1 AND confirmed_at IS NULL",
    values: [routeId],
  });
}

/**
 * Records that the payer has ended the subscription of this address, so that a new one is due in a minute. One that only
 * failed may still be there, and is ended at the payer.
 */
export async function reopenSubscription(
  store: Store,
  { routeId, problem }: { readonly routeId: string; readonly problem: string },
): Promise<void> {
  await store.pool.query({
    name: "reopen-subscription",
    text: `
      WITH ended AS (
        UPDATE subscription s SET subscribed_at = NULL, confirmed_at = NULL, problem = $2,
                              next_try_at = greatest(next_try_at, clock_timestamp() + interval '1 minute')
          FROM route r
         WHERE r.id = s.route_id AND s.route_id = $1 AND s.subscribed_at IS NOT NULL
        RETURNING s.route_id, r.practice_id, s.remote_id)
      INSERT INTO ended_subscription (id, route_id, practice_id, remote_id)
      SELECT $3, route_id, practice_id, remote_id FROM ended WHERE remote_id IS NOT NULL`,
    values: [routeId, problem, newId()],
  });
}

/** An active connection of an active practice, to subscribe at its payer. */
export type DueSubscription = Destination & { readonly practiceId: string };

/** Active connections of these connectors without a subscription for their current settings, if a try is due. */
export async function dueSubscriptions(
  store: Store,
  names: readonly ConnectorName[],
): Promise<readonly DueSubscription[]> {
  const { rows } = await acrossPractices(store, "due-work").pool.query<RouteRow>({
    name: "due-subscriptions",
    text: `
      SELECT r.* FROM (SELECT DISTINCT ON (practice_id, payer_id) id, practice_id, payer_id, version, connector, url,
                              environment, settings FROM route ORDER BY practice_id, payer_id, version DESC) r
        JOIN practice p ON p.id = r.practice_id AND p.status = 'active'
       WHERE r.connector = ANY($1) AND r.url IS NOT NULL
         AND NOT EXISTS (SELECT FROM subscription s JOIN route o ON o.id = s.route_id
                          WHERE o.practice_id = r.practice_id AND o.payer_id = r.payer_id AND o.connector = r.connector
                            AND o.url = r.url AND o.settings = r.settings AND s.subscribed_at IS NOT NULL)
         AND NOT EXISTS (SELECT FROM subscription s WHERE s.route_id = r.id AND s.next_try_at > clock_timestamp())`,
    values: [names],
  });
  return rows.map((row) => ({
    routeId: row.id,
    practiceId: row.practice_id,
    payerId: row.payer_id,
    version: row.version,
    ...serverOf(row),
    url: row.url,
    settings: row.settings,
  }));
}

type RouteRow = {
  id: string;
  practice_id: string;
  payer_id: string;
  version: number;
  connector: string;
  url: string;
  environment: string;
  settings: RouteSettings;
};

/**
 * Claims one try to subscribe a connection, so that no other worker tries too. The next try is due a minute later, then
 * later each time, up to an hour. Returns the secret, which is the same for all tries. Undefined if another worker was
 * first, or another version is active by now.
 */
export async function claimSubscription(
  store: Store,
  { routeId, practiceId }: { routeId: string; practiceId: string },
  fresh: string,
): Promise<string | undefined> {
  const of = { row: routeId, practiceId };
  await store.keys.ready([practiceId]);
  const { rows } = await store.pool.query<{ secret: Uint8Array }>({
    name: "take-subscription",
    text: `
      INSERT INTO subscription AS s (route_id, practice_id, secret, tries, next_try_at)
      SELECT r.id, r.practice_id, $3, 1, clock_timestamp() + interval '1 minute' FROM route r
       WHERE r.id = $1 AND r.practice_id = $2
         AND NOT EXISTS (SELECT FROM route n WHERE n.practice_id = r.practice_id AND n.payer_id = r.payer_id AND n.version > r.version)
      ON CONFLICT (route_id) DO UPDATE SET tries = s.tries + 1,
        next_try_at = clock_timestamp() + least(interval '1 minute' * power(2, least(s.tries, 10)), interval '1 hour')
      WHERE s.subscribed_at IS NULL AND s.next_try_at <= clock_timestamp()
      RETURNING secret`,
    values: [routeId, practiceId, sealText(store, "subscription.secret", of, fresh)],
  });
  return rows[0] && openText(store, "subscription.secret", of, rows[0].secret);
}

/**
 * Records that the payer has subscribed us, with its id of the subscription. If ours has ended in the meantime, the
 * payer will be asked to delete it.
 */
export async function keepSubscribed(
  store: Store,
  { routeId, practiceId, payerId, version, remoteId }: Keep & { remoteId: string },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const done = { remoteId, subscribedAt: now(), problem: null };
    const { count } = await tx.subscription.updateMany({ where: { routeId, practiceId }, data: done });
    if (count === 0) {
      await tx.endedSubscription.create({ data: { id: newId(), routeId, practiceId, remoteId } });
      return;
    }
    const detail = { payer: payerId, version };
    await appendAudit(tx, { chain: practiceId, actor: { kind: "worker" }, act: "route.subscribed", detail });
  });
}

/** Records why the payer has not subscribed us. */
export async function keepProblem(
  store: Store,
  { routeId, problem }: { routeId: string; problem: string },
): Promise<void> {
  await store.prisma.subscription.updateMany({ where: { routeId }, data: { problem } });
}

/**
 * Ends the practice's subscriptions at a payer, except those at the server of `except`. Their secrets are gone with the
 * commit, and the worker asks the payer to delete them. Returns how many there were.
 */
export async function endSubscriptions(
  tx: Tx,
  { practiceId, payerId, except }: { practiceId: string; payerId: string; except?: Parameters<typeof isSameServer>[0] },
): Promise<number> {
  const standing = await tx.subscription.findMany({
    where: { practiceId, route: { payerId } },
    select: { routeId: true, remoteId: true, route: { select: { connector: true, url: true, environment: true } } },
  });
  const ended = standing.filter(({ route }) => !except || !isSameServer(serverOf(route), except));
  await tx.subscription.deleteMany({ where: { practiceId, routeId: { in: ended.map(({ routeId }) => routeId) } } });
  const known = ended.flatMap(({ routeId, remoteId }) =>
    remoteId === null ? [] : [{ id: newId(), routeId, practiceId, remoteId }],
  );
  await tx.endedSubscription.createMany({ data: known });
  return ended.length;
}

type Keep = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly version: number;
};
