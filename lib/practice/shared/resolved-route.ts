import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import { connectorNames, type Destination, type isSameServer, type RouteSettings } from "#lib/payer/model/destination";
import { supports } from "#lib/payer/model/support";
import type { KnownProvider } from "#lib/practice/model/known-provider";
import { unlistedPolicies, type UnlistedPolicy, type PayerStanding } from "#lib/practice/model/listed-payer";
import type { PayerName } from "#lib/practice/model/payer-name";
import { firstFit, partialFit, type ChosenRule, type RouteRule } from "#lib/practice/model/route-rule";
import type { ServiceReview } from "#lib/task/model/service-review";
import { type Db, prismaOf, query, type Store } from "#lib/db/db";
import { forMany } from "#lib/db/statement";
import { isRecordStopped } from "#lib/submission/shared/record-stops";
import { commitsAlone } from "#lib/db/replication";
import { keysOf } from "#lib/db/practice-keys";
import { openText, sealText } from "#lib/db/sealed";
import { assert } from "#lib/platform/result";

/** A practice's own settings that shape a gate; units as named. */
export type PracticeSettings = {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Its audit log lacks entries, so nothing is accepted or submitted. */
  readonly recordStopped: boolean;
  /** Commits wait for no standby. */
  readonly commitsAlone: boolean;
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
  readonly unlistedPayers: UnlistedPolicy;
};

/** The payer that a request names, as the practice knows it. */
export type NamedPayer = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly standing: PayerStanding;
  /** Where the practice does not know this one, the payers that it knows: one of them may be meant. */
  readonly known: readonly PayerName[];
  readonly rules: readonly RouteRule[];
};

/**
 * How a practice reaches a payer. `configured` is false for the manual connection of a payer that has none and that the
 * directory does not say is reached manually.
 */
export type ResolvedRoute = {
  readonly practice: PracticeSettings;
  readonly payer: NamedPayer;
  /** The payer id of the payer connection: that of `payer`, unless a rule chose another. */
  readonly connection: string;
  /** The rule that chose the connection; undefined where none fits, so that it is the payer's own. */
  readonly rule?: ChosenRule | undefined;
  readonly destination: Destination;
  readonly configured: boolean;
};

type KnownPayerRow = { payerId: string; name: string | null; aliases: string[]; isListed: boolean };

export type ResolvedRouteRow = {
  id: string;
  name: string;
  status: string;
  record_stopped: boolean;
  commits_alone: boolean;
  environment: string;
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
  connector: string | null;
  url: string | null;
  route_environment: string | null;
  settings: RouteSettings | null;
  line_of_business: string | null;
  required_fields: string[] | null;
  unlisted_payers: string;
  is_listed: boolean;
  known_payers: readonly KnownPayerRow[] | null;
  listed_name: string | null;
  listed_connector: string | null;
  listed_supports: string[] | null;
  listed_required_fields: string[] | null;
  listed_rules: readonly RouteRule[] | null;
};

/** Every payer that a practice lists or has a payer connection to, by all that it goes by; null where there is none. */
const knownPayersOf = (practiceId: string) => `(
  SELECT json_agg(json_build_object('payerId', payer_id, 'name', name, 'aliases', aliases, 'isListed', is_listed))
    FROM (SELECT payer_id, name, aliases, true FROM payer WHERE practice_id = ${practiceId}
          UNION ALL
          (SELECT DISTINCT ON (payer_id) payer_id, payer_name, '{}'::text[], false
             FROM route WHERE practice_id = ${practiceId}
                AND NOT EXISTS (SELECT FROM payer WHERE practice_id = ${practiceId} AND payer.payer_id = route.payer_id)
            ORDER BY payer_id, version DESC)) names (payer_id, name, aliases, is_listed))`;

/**
 * SQL for a practice's connection to a payer, with the parameters' places as given. The others that the practice knows are
 * read for a payer alone that it does not know; to ask for more than that takes longer to prepare than to answer.
 */
export const resolvedRouteText = ({ practiceId, payerId }: { practiceId: string; payerId: string }) => `
  SELECT p.id, p.name, p.status, p.environment, p.recall_window_s, p.gate_expiry_days, p.time_zone,
         p.urgent_target_h, p.standard_target_h, p.noted_warnings, p.providers, p.unlisted_payers,
         ${isRecordStopped("p.id")} AS record_stopped, ${commitsAlone} AS commits_alone, r.id AS route_id, r.version, r.payer_name, r.connector, r.url, r.environment AS route_environment,
         r.settings, r.line_of_business, r.required_fields, listed.payer_id IS NOT NULL AS is_listed,
         CASE WHEN listed.payer_id IS NULL AND r.id IS NULL THEN ${knownPayersOf("p.id")} END AS known_payers,
         listed.name AS listed_name, listed.connector AS listed_connector, listed.supports AS listed_supports, listed.required_fields AS listed_required_fields,
         listed.rules AS listed_rules
    FROM practice p
    LEFT JOIN LATERAL (
      SELECT * FROM route WHERE practice_id = p.id AND payer_id = ${payerId} ORDER BY version DESC LIMIT 1) r ON true
    LEFT JOIN payer listed ON listed.practice_id = p.id AND listed.payer_id = ${payerId}
   WHERE p.id = ${practiceId}`;

const routeText = resolvedRouteText({ practiceId: "$1", payerId: "$2" });
const manyRoutes = forMany("load-route", routeText, { types: ["text", "text"] });

/** The payer's own active connection. A payer without one is reached manually, in the practice's own environment. */
export async function resolveRoute(db: Db, practiceId: string, payerId: string): Promise<ResolvedRoute | undefined> {
  const values = [practiceId, payerId];
  const rows = await query<ResolvedRouteRow>(db, { name: "load-route", text: routeText, values, many: manyRoutes });
  return rows[0] && rowToResolvedRoute(rows[0], payerId);
}

/** The payer of one version of a practice's payer connection. Undefined for a connection of another practice. */
export async function loadConnectedPayer(
  { prisma }: Store,
  { routeId, practiceId }: { readonly routeId: string; readonly practiceId: string },
): Promise<Pick<PayerName, "payerId" | "name"> | undefined> {
  const found = await prisma.route.findFirst({ where: { id: routeId, practiceId } });
  return found ? { payerId: found.payerId, name: found.payerName ?? undefined } : undefined;
}

/** What one version of a practice's payer connection reaches. Undefined for a connection of another practice. */
export async function loadServer(
  db: Db,
  { routeId, practiceId }: { readonly routeId: string; readonly practiceId: string },
): Promise<Parameters<typeof isSameServer>[0] | undefined> {
  const found = await prismaOf(db).route.findFirst({ where: { id: routeId, practiceId } });
  if (!found) return undefined;
  return {
    url: found.url,
    connector: knownWord(connectorNames, found.connector, "route.connector"),
    environment: knownWord(environments, found.environment, "route.environment"),
  };
}

export type RouteQuery = {
  readonly practiceId: string;
  readonly review: ServiceReview;
  /** Over which connection the payer has the request, and the rule that chose it: there it stays, whatever the rules say now. */
  readonly kept?: { readonly connection: string; readonly rule: ChosenRule | undefined } | undefined;
  /** The payer's own connection, where it was read along with something else. */
  readonly own?: ResolvedRoute | undefined;
};

/** The connection a request goes over: by the first rule of its payer that fits it, or else the payer's own. */
export async function chooseRoute(
  db: Db,
  { practiceId, review, kept, own }: RouteQuery,
): Promise<ResolvedRoute | undefined> {
  const route = own ?? (await resolveRoute(db, practiceId, review.payer.id));
  if (!route) return undefined;
  const rule = kept ? kept.rule : firstFit(route.payer.rules, review);
  const connection = kept?.connection ?? rule?.connection ?? route.connection;
  if (connection === route.connection) return { ...route, rule };
  const reached = await resolveRoute(db, practiceId, connection);
  return reached && delegated(route, reached, rule);
}

function delegated(route: ResolvedRoute, reached: ResolvedRoute, rule: ChosenRule | undefined): ResolvedRoute {
  const { id, name } = route.payer;
  const { destination } = reached;
  const same = destination.payerId === id;
  return {
    ...reached,
    payer: route.payer,
    rule,
    destination: same ? destination : { ...destination, delegatedBy: { id, name } },
  };
}

/** What of a request its payer would have others review, if it asked for nothing else; undefined where that is nothing. */
export function delegatedInPart(
  { payer, rule }: ResolvedRoute,
  review: ServiceReview,
): { readonly name: string; readonly procedures: readonly number[] } | undefined {
  const part = partialFit(payer.rules, review, rule);
  return part && { name: part.rule.name, procedures: part.procedures };
}

export function rowToResolvedRoute(row: ResolvedRouteRow, payerId: string): ResolvedRoute {
  const practice = {
    id: row.id,
    name: row.name,
    active: row.status === "active",
    recordStopped: row.record_stopped,
    commitsAlone: row.commits_alone,
    gateExpiryDays: row.gate_expiry_days,
    recallWindowS: row.recall_window_s,
    urgentTargetH: row.urgent_target_h,
    standardTargetH: row.standard_target_h,
    timeZone: row.time_zone,
    notedWarnings: row.noted_warnings,
    providers: row.providers,
    unlistedPayers: knownWord(unlistedPolicies, row.unlisted_payers, "practice.unlisted_payers"),
  };
  const configured = row.route_id !== null || row.listed_connector === "manual";
  const payerName = row.payer_name ?? row.listed_name ?? undefined;
  const requiredFields = [...(row.required_fields ?? []), ...(row.listed_required_fields ?? [])];
  const destination: Destination = {
    routeId: row.route_id ?? "",
    version: row.version ?? 0,
    connector: knownWord(connectorNames, row.connector ?? "manual", "route.connector"),
    payerId,
    payerName,
    url: row.url ?? undefined,
    environment: knownWord(environments, row.route_environment ?? row.environment, "route.environment"),
    settings: row.settings ?? {},
    lineOfBusiness: row.line_of_business ?? undefined,
    requiredFields: [...new Set(requiredFields)],
    supports: row.listed_supports?.map((word) => knownWord(supports, word, "payer.supports")),
  };
  const payer = {
    id: payerId,
    name: row.listed_name ?? row.payer_name ?? undefined,
    standing: standingOf(row),
    known: (row.known_payers ?? []).map(({ payerId: id, name, aliases }) => ({
      payerId: id,
      name: name ?? undefined,
      aliases,
    })),
    rules: row.listed_rules ?? [],
  };
  return { practice, payer, connection: payerId, destination, configured };
}

function standingOf({ is_listed: isListed, route_id: routeId, known_payers: known }: ResolvedRouteRow): PayerStanding {
  if (isListed) return "listed";
  if (routeId !== null) return "connected";
  if (!known) return "none-known";
  return known.some((payer) => payer.isListed) ? "unlisted" : "unconnected";
}

/** What connecting to the payer needs, at exactly one version of the connection. */
export type Access = {
  readonly route: Pick<Destination, "environment" | "settings">;
  readonly credential: string | undefined;
};

type AccessRow = {
  readonly practice_id: string;
  readonly credential: Uint8Array | null;
  readonly environment: string;
  readonly settings: RouteSettings;
};

const accessText = "SELECT practice_id, credential, environment, settings FROM route WHERE id = $1::uuid";
const manyAccesses = forMany("load-access", `${accessText} AND practice_id = given.practice`, { types: ["uuid"] });

/** What connecting to the payer needs; its credential is opened only right before a request is sent. */
export async function loadAccess(db: Db, routeId: string): Promise<Access> {
  const values = [routeId];
  const [row] = await query<AccessRow>(db, { name: "load-access", text: accessText, values, many: manyAccesses });
  assert(row, "a release's connection is there, at its version");
  const { practice_id: practiceId, credential, environment, settings } = row;
  await keysOf(db)?.ready([practiceId]);
  return {
    route: {
      environment: knownWord(environments, environment, "route.environment"),
      settings,
    },
    credential: credential ? openText(db, "route.credential", { row: routeId, practiceId }, credential) : undefined,
  };
}

type RouteRow = { readonly id: string; readonly practiceId: string };

export function sealCredential(db: Db, credential: string, { id: row, practiceId }: RouteRow) {
  return sealText(db, "route.credential", { row, practiceId }, credential);
}

/** The credential of another version of the connection, sealed for this one. */
export function storedCredential(
  db: Db,
  { id: row, practiceId, credential }: RouteRow & { readonly credential: Uint8Array | null },
  to: RouteRow,
) {
  if (!credential) return undefined;
  return sealCredential(db, openText(db, "route.credential", { row, practiceId }, credential), to);
}
