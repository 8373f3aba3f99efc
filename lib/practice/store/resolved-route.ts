import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import { connectorNames, type ConnectorName, type Destination, type RouteSettings } from "#lib/payer/model/destination";
import type { KnownProvider } from "#lib/practice/model/known-provider";
import type { Store, Tx } from "#lib/db/db";
import { isRecordStopped } from "#lib/submission/store/record-stops";
import { openText, sealText } from "#lib/db/seal";

/** A practice's own settings that shape a gate; units as named. */
export type PracticeSettings = {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Its audit log lacks entries, so nothing is accepted or submitted. */
  readonly recordStopped: boolean;
  readonly gateExpiryDays: number;
  readonly recallWindowS: number;
  readonly urgentTargetH: number;
  readonly standardTargetH: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Warnings that its reviewers may release over without an override reason. */
  readonly notedWarnings: readonly string[];
  /** The providers it requests services for and with; empty if it has not listed any. */
  readonly providers: readonly KnownProvider[];
};

/** How a practice reaches a payer. `configured` is false for the manual connection of a payer that has none. */
export type ResolvedRoute = {
  readonly practice: PracticeSettings;
  readonly destination: Destination;
  readonly configured: boolean;
};

export type ResolvedRouteRow = {
  id: string;
  name: string;
  status: string;
  record_stopped: boolean;
  environment: "live" | "test";
  recall_window_s: number;
  gate_expiry_days: number;
  urgent_target_h: number;
  standard_target_h: number;
  time_zone: string;
  noted_warnings: string[];
  providers: readonly KnownProvider[];
  route_id: string | null;
  version: number | null;
  payer_name: string | null;
  connector: ConnectorName | null;
  url: string | null;
  route_environment: "live" | "test" | null;
  settings: RouteSettings | null;
  line_of_business: string | null;
  required_fields: string[] | null;
};

/** SQL for a practice's connection to a payer, with the parameters' places as given. */
export const resolvedRouteText = ({ practiceId, payerId }: { practiceId: string; payerId: string }) => `
  SELECT p.id, p.name, p.status, p.environment, p.recall_window_s, p.gate_expiry_days, p.time_zone,
         p.urgent_target_h, p.standard_target_h, p.noted_warnings, p.providers,
         ${isRecordStopped("p.id")} AS record_stopped, r.id AS route_id, r.version, r.payer_name, r.connector, r.url, r.environment AS route_environment,
         r.settings, r.line_of_business, r.required_fields
    FROM practice p
    LEFT JOIN LATERAL (
      SELECT * FROM route WHERE practice_id = p.id AND payer_id = ${payerId} ORDER BY version DESC LIMIT 1) r ON true
   WHERE p.id = ${practiceId}`;

const wayText = resolvedRouteText({ practiceId: "$1", payerId: "$2" });

/** The active connection. A payer without one is reached manually, in the practice's own environment. */
export async function resolveRoute(
  db: Store | Tx,
  practiceId: string,
  payerId: string,
): Promise<ResolvedRoute | undefined> {
  const values = [practiceId, payerId];
  const rows =
    "pool" in db
      ? (await db.pool.query<ResolvedRouteRow>({ name: "load-way", text: wayText, values })).rows
      : await db.$queryRawUnsafe<ResolvedRouteRow[]>(wayText, ...values);
  return rows[0] && rowToResolvedRoute(rows[0], payerId);
}

export function rowToResolvedRoute(row: ResolvedRouteRow, payerId: string): ResolvedRoute {
  const practice = {
    id: row.id,
    name: row.name,
    active: row.status === "active",
    recordStopped: row.record_stopped,
    gateExpiryDays: row.gate_expiry_days,
    recallWindowS: row.recall_window_s,
    urgentTargetH: row.urgent_target_h,
    standardTargetH: row.standard_target_h,
    timeZone: row.time_zone,
    notedWarnings: row.noted_warnings,
    providers: row.providers,
  };
  const configured = row.route_id !== null && row.connector !== null;
  const destination: Destination = {
    routeId: row.route_id ?? "",
    version: row.version ?? 0,
    connector: knownWord(connectorNames, row.connector ?? "manual", "route.connector"),
    payerId,
    payerName: row.payer_name ?? undefined,
    url: row.url ?? undefined,
    environment: knownWord(environments, row.route_environment ?? row.environment, "route.environment"),
    settings: row.settings ?? {},
    lineOfBusiness: row.line_of_business ?? undefined,
    requiredFields: row.required_fields ?? [],
  };
  return { practice, destination, configured };
}

const credentialPlace = (routeId: string, practiceId: string) => ({
  table: "route",
  column: "credential",
  row: routeId,
  practiceId,
});

/** What connecting to the payer needs, at exactly one version of the connection. */
export type Access = {
  readonly route: Pick<Destination, "environment" | "settings">;
  readonly credential: string | undefined;
};

/** What connecting to the payer needs; its credential is opened only right before a request is sent. */
export async function loadAccess(store: Store, routeId: string): Promise<Access> {
  const { practiceId, credential, environment, settings } = await store.prisma.route.findUniqueOrThrow({
    where: { id: routeId },
  });
  await store.keys.ready([practiceId]);
  return {
    route: {
      environment: knownWord(environments, environment, "route.environment"),
      // Safe because only settings of this shape are stored.
      settings: settings as RouteSettings,
    },
    credential: credential ? openText(store.sealer, credential, credentialPlace(routeId, practiceId)) : undefined,
  };
}

export function sealCredential(store: Store, credential: string, route: { id: string; practiceId: string }) {
  return sealText(store.sealer, credential, credentialPlace(route.id, route.practiceId));
}

/** The credential of another version of the connection, sealed for this one. */
export function storedCredential(
  store: Store,
  from: { id: string; practiceId: string; credential: Uint8Array | null },
  to: { id: string; practiceId: string },
) {
  if (!from.credential) return undefined;
  return sealCredential(store, openText(store.sealer, from.credential, credentialPlace(from.id, from.practiceId)), to);
}
