import type { Context } from "#lib/access/context";
import type { ChannelActor } from "#lib/access/model/actor";
import { connectors } from "#lib/payer/connectors";
import { rangeText, type RouteRule } from "#lib/practice/model/route-rule";
import { isDemoPayer } from "#lib/practice/model/demo-payers";
import type { UnlistedPolicy } from "#lib/practice/model/listed-payer";
import { listDirectoryRows, loadUnlistedPolicies, type DirectoryRow } from "#lib/practice/store/payers";
import { ok, refuse, type Result } from "#lib/platform/result";
import { missingPermission } from "#lib/channel/model/authority";

/** Most payers that one answer holds. */
const payersMax = 2_000;

/** A payer as an agent is told of it. */
export type AgentPayer = {
  /** What `serviceReview.payer.id` has to be. */
  readonly id: string;
  readonly name: string | undefined;
  /** The payer is invented, and answered by the payer simulator at most. */
  readonly demo?: true;
  readonly aliases: readonly string[];
  /** How the service reaches it; `manual` is by a person. */
  readonly connection: string;
  /** What goes over the connection beyond a first request; a person does the rest. */
  readonly supports: readonly ("updates" | "files" | "voids")[];
  /** JSON pointers into the service review, beyond what the connection needs of every request. */
  readonly requiredFields: readonly string[];
  /** Reviews that the payer leaves to others, in order: the first that fits all of a request is used. */
  readonly delegatedReviews: readonly DelegatedReview[];
};

type DelegatedReview = {
  readonly name: string;
  readonly serviceTypes: readonly string[];
  readonly codes: readonly string[];
  readonly linesOfBusiness: readonly string[];
  readonly reviewer: { readonly id: string; readonly name: string | undefined };
};

/** The payers of one practice. */
export type AgentDirectory = {
  readonly practiceId: string;
  readonly unlistedPayers: UnlistedPolicy;
  readonly payers: readonly AgentPayer[];
};

/** Whole practices, as many as one answer holds; `omitted` are the others, each to be asked for by itself. */
export type AgentDirectories = {
  readonly practices: readonly AgentDirectory[];
  readonly omitted: readonly string[];
};

/**
 * The payers of the practices that a channel reaches, or of one of them. `not-authorised` without the permission to send
 * requests, and for a practice that the channel does not reach or that does not exist.
 */
export async function readPayerDirectories(
  { actor, store }: Context<ChannelActor>,
  { practiceId }: { readonly practiceId?: string | undefined } = {},
): Promise<Result<AgentDirectories, { readonly type: "not-authorised" }>> {
  if (missingPermission(actor, { atom: "prior_auth_intake", practiceId })) return refuse({ type: "not-authorised" });
  const requestedIds = practiceId === undefined ? actor.practices.toSorted() : [practiceId];
  const rows = await listDirectoryRows(store, { practices: requestedIds, max: payersMax });
  const policies = await loadUnlistedPolicies(store, requestedIds);
  // Where there are more, the last practice may not be whole, and what comes after it was not read.
  const cut = rows.length > payersMax ? rows.at(-1)?.practiceId : undefined;
  const read = new Set(rows.map((row) => row.practiceId));
  const isWhole = (id: string) => cut === undefined || requestedIds.length === 1 || (id !== cut && read.has(id));
  const practices = requestedIds.filter(isWhole).map((id) => directoryOf(id, policies.get(id) ?? "refuse", rows));
  return ok({ practices, omitted: requestedIds.filter((id) => !isWhole(id)) });
}

function directoryOf(practiceId: string, unlisted: UnlistedPolicy, rows: readonly DirectoryRow[]): AgentDirectory {
  const own = rows.filter((row) => row.practiceId === practiceId);
  const names = new Map(own.map(({ payerId, name }) => [payerId, name ?? undefined]));
  // Without a directory every payer is taken.
  const isListed = own.some(({ supports }) => supports !== null);
  return {
    practiceId,
    unlistedPayers: isListed ? unlisted : "manual",
    payers: own.map((row) => payerOf(row, names)),
  };
}

type Names = ReadonlyMap<string, string | undefined>;

function payerOf(row: DirectoryRow, names: Names): AgentPayer {
  const connector = connectors[row.connector ?? "manual"];
  const isElectronic = connector.name !== "manual";
  const { supports } = row;
  const takes = (what: "updates" | "files" | "voids") =>
    isElectronic && (supports?.includes(what) ?? true) && (what !== "files" || connector.carriesFiles);
  return {
    id: row.payerId,
    name: row.name ?? undefined,
    ...(isDemoPayer(row.payerId) ? { demo: true } : {}),
    aliases: row.aliases,
    connection: connector.name,
    supports: (["updates", "files", "voids"] as const).filter(takes),
    requiredFields: [...new Set(row.requiredFields)],
    delegatedReviews: row.rules.map((rule) => reviewOf(rule, names)),
  };
}

function reviewOf(
  { name, serviceTypes, codes, linesOfBusiness, connection }: RouteRule,
  names: Names,
): DelegatedReview {
  const reviewer = { id: connection, name: names.get(connection) };
  return { name, serviceTypes, codes: codes.map(rangeText), linesOfBusiness, reviewer };
}
