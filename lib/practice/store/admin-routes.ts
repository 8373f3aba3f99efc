import { connectorNames, type ConnectorName, type RouteSettings } from "#lib/payer/model/destination";
import { environments } from "#lib/task/model/environment";
import { knownWord } from "#lib/platform/known-word";
import type { Store, Tx } from "#lib/db/db";
import { storedCredential, sealCredential } from "#lib/practice/shared/resolved-route";
import { keysOf } from "#lib/db/practice-keys";
import { newId } from "#lib/db/new-id";

export type RouteRecord = {
  readonly routeId: string;
  readonly practiceId: string;
  readonly payerId: string;
  readonly payerName?: string | undefined;
  readonly version: number;
  readonly connector: ConnectorName;
  readonly url?: string | undefined;
  readonly environment: "live" | "test";
  readonly settings: RouteSettings;
  readonly lineOfBusiness?: string | undefined;
  /** What the payer requires of every request beyond the connector, as JSON pointers. */
  readonly requiredFields: readonly string[];
  /** Whether a credential is stored; the credential itself is never returned. */
  readonly hasCredential: boolean;
  readonly createdAt: Date;
  /** The state of the subscription to the payer's notifications, if there is one. */
  readonly subscription?:
    | { readonly subscribed: boolean; readonly confirmed: boolean; readonly problem?: string | undefined }
    | undefined;
};

export type NewRoute = Omit<RouteRecord, "version" | "hasCredential" | "createdAt" | "subscription" | "routeId"> & {
  /** `kept`: the credential of the version before, sealed again. */
  readonly credential?: string | { readonly kept: true } | undefined;
};

/** The active version of a connection, to compare with the next one. */
export type RouteInForce = Pick<
  RouteRecord,
  | "version"
  | "payerName"
  | "connector"
  | "url"
  | "environment"
  | "settings"
  | "lineOfBusiness"
  | "requiredFields"
  | "hasCredential"
>;

/** The practice's active connections by payer. The caller has locked the practice. */
export async function routesInForce(tx: Tx, practiceId: string): Promise<ReadonlyMap<string, RouteInForce>> {
  const rows = await tx.route.findMany({
    where: { practiceId },
    orderBy: [{ payerId: "asc" }, { version: "desc" }],
    distinct: ["payerId"],
  });
  return new Map(
    rows.map((row) => [
      row.payerId,
      {
        version: row.version,
        payerName: row.payerName ?? undefined,
        connector: knownWord(connectorNames, row.connector, "route.connector"),
        url: row.url ?? undefined,
        environment: knownWord(environments, row.environment, "route.environment"),
        // Safe because only texts by name are stored.
        settings: row.settings as RouteSettings,
        lineOfBusiness: row.lineOfBusiness ?? undefined,
        requiredFields: row.requiredFields,
        hasCredential: row.credential !== null,
      },
    ]),
  );
}

/** Appends the connection's next version, active from the commit on. The caller has locked the practice. */
export async function insertRoute(tx: Tx, route: NewRoute) {
  const { practiceId, payerId, credential } = route;
  await keysOf(tx)?.ready([practiceId]);
  const latest = await tx.route.findFirst({ where: { practiceId, payerId }, orderBy: { version: "desc" } });
  const version = (latest?.version ?? 0) + 1;
  const id = newId();
  const place = { id, practiceId };
  const kept = typeof credential === "object" && latest ? storedCredential(tx, latest, place) : undefined;
  const sealed = typeof credential === "string" ? sealCredential(tx, credential, place) : kept;
  const credentialVersion = typeof credential === "string" ? version : (kept && latest?.credentialVersion) || null;
  await tx.route.create({
    data: {
      id,
      practiceId,
      payerId,
      version,
      payerName: route.payerName ?? null,
      connector: route.connector,
      url: route.url ?? null,
      environment: route.environment,
      settings: route.settings,
      lineOfBusiness: route.lineOfBusiness ?? null,
      requiredFields: [...route.requiredFields],
      credential: sealed ?? null,
      credentialVersion,
    },
  });
  return { id, version, hasCredential: sealed !== undefined };
}

/**
 * Sets the line of business of the active connection without a new version, because nothing that is submitted changes.
 * Returns the one before; undefined if there is no connection.
 */
export async function updateLineOfBusiness(
  tx: Tx,
  { practiceId, payerId, lineOfBusiness }: Pick<RouteRecord, "practiceId" | "payerId"> & { lineOfBusiness: string },
): Promise<{ before: string | null } | undefined> {
  const route = await tx.route.findFirst({ where: { practiceId, payerId }, orderBy: { version: "desc" } });
  if (!route) return undefined;
  await tx.route.update({ where: { id: route.id }, data: { lineOfBusiness } });
  return { before: route.lineOfBusiness };
}

/** The active connections, of one practice or of all. */
export async function listRouteRecords(store: Store, practiceId?: string): Promise<readonly RouteRecord[]> {
  const { rows } = await store.pool.query<RouteRow>(
    `SELECT r.*, s.subscribed_at IS NOT NULL AS subscribed, s.confirmed_at IS NOT NULL AS confirmed, s.problem,
            s.route_id IS NOT NULL AS has_subscription
       FROM (SELECT DISTINCT ON (practice_id, payer_id)
                    id, practice_id, payer_id, payer_name, required_fields, version, connector, url, environment, settings, line_of_business,
                    credential IS NOT NULL AS has_credential, created_at
               FROM route WHERE $1::text IS NULL OR practice_id = $1
              ORDER BY practice_id, payer_id, version DESC) r
       LEFT JOIN LATERAL (
         SELECT s.* FROM subscription s JOIN route o ON o.id = s.route_id
          WHERE o.practice_id = r.practice_id AND o.payer_id = r.payer_id AND o.connector = r.connector
            AND o.url = r.url AND o.settings = r.settings ORDER BY s.subscribed_at NULLS LAST LIMIT 1) s ON true
      ORDER BY r.practice_id, r.payer_id`,
    [practiceId ?? null],
  );
  return rows.map((row) => ({
    routeId: row.id,
    practiceId: row.practice_id,
    payerId: row.payer_id,
    payerName: row.payer_name ?? undefined,
    version: row.version,
    connector: knownWord(connectorNames, row.connector, "route.connector"),
    url: row.url ?? undefined,
    environment: knownWord(environments, row.environment, "route.environment"),
    settings: row.settings,
    lineOfBusiness: row.line_of_business ?? undefined,
    requiredFields: row.required_fields,
    hasCredential: row.has_credential,
    createdAt: row.created_at,
    ...(row.has_subscription
      ? {
          subscription: {
            subscribed: row.subscribed,
            confirmed: row.confirmed,
            ...(row.problem === null ? {} : { problem: row.problem }),
          },
        }
      : {}),
  }));
}

type RouteRow = {
  id: string;
  required_fields: string[];
  practice_id: string;
  payer_id: string;
  payer_name: string | null;
  version: number;
  connector: string;
  url: string | null;
  environment: string;
  settings: RouteSettings;
  line_of_business: string | null;
  has_credential: boolean;
  created_at: Date;
  has_subscription: boolean;
  subscribed: boolean;
  confirmed: boolean;
  problem: string | null;
};
