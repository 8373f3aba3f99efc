import type { CaseFacts, CheckType } from "#lib/gate/model/check";
import { checksOf } from "#lib/gate/model/checks";
import { isAuthorization, withEarlierNumber, type EarlierAuthorization } from "#lib/task/model/renewal";
import type { Determination } from "#lib/task/model/determination";
import { lacking } from "#lib/task/model/required-fields";
import { type ServiceReview, isUrgent } from "#lib/task/model/service-review";
import type { Action } from "#lib/task/model/task";
import { dayIn, endOfDay } from "#lib/platform/zoned-time";
import type { OpenAttachment } from "#lib/task/model/attachment";
import type { Build, PriorSubmission } from "#lib/payer/connector";
import { connectors, takesFiles } from "#lib/payer/connectors";
import { documentDigest, gateDigest } from "#lib/payer/digest";
import { delegatedInPart, type ResolvedRoute } from "#lib/practice/shared/resolved-route";
import { newId } from "#lib/db/new-id";
import type { FrozenGate, PreparedGate } from "#lib/task/store/save-task";
import { needsReason } from "./case-checks.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export type Freeze = {
  readonly taskId: string;
  readonly action: Action;
  readonly update?: boolean | undefined;
  readonly revision: number;
  /** How often the payer has rejected this action on this revision. */
  readonly refusals?: number | undefined;
  readonly review: ServiceReview;
  readonly route: ResolvedRoute;
  readonly now: Date;
  /** When the practice's target began, if it does not begin with this gate. */
  readonly heldSince?: Date | undefined;
  readonly payerReference?: string | undefined;
  readonly informationRequest?: Build["informationRequest"];
  readonly reason?: string | undefined;
  /** What was submitted to the payer before; absent for a first request. */
  readonly sent?: readonly PriorSubmission[] | undefined;
  /** What a renewal or extension goes on from. */
  readonly earlier?: EarlierAuthorization | undefined;
  /** The determination in force, which an appeal contests, and the last day for that. */
  readonly contested?: (Determination & { readonly appealBy?: string | undefined }) | undefined;
  /** The files that are submitted with it, in the revision's order. */
  readonly attachments?: readonly OpenAttachment[] | undefined;
};

/**
 * Builds exactly what a release would submit, and computes its digest. A person at this gate releases these bytes and
 * no others.
 */
export function freezeGate(freeze: Freeze): PreparedGate {
  const { taskId, action, update = false, revision, route, now, reason } = freeze;
  const { sent = [], attachments = [], refusals, payerReference, informationRequest } = freeze;
  const { practice, destination, connection, rule } = route;
  const review = withEarlierNumber(freeze.review, freeze.earlier, destination.environment);
  // Neither wire has a message for an appeal.
  const contested = isAppeal(freeze) ? freeze.contested : undefined;
  const connector = connectors[isAppeal(freeze) ? "manual" : destination.connector];
  const whole: Build = {
    ...{ taskId, action, update, revision, refusals, review },
    practice: { id: practice.id, name: practice.name, timeZone: practice.timeZone },
    destination,
    openedAt: now,
    attachments,
    sent,
    payerReference,
    authorizationNumbers: update || action === "void" ? numbersInForce(freeze) : undefined,
    informationRequest,
    reason,
    contested,
  };
  const manual = connector.isManual(whole);
  const takesAttachments = manual || takesFiles(destination);
  const calls = connector.build(takesAttachments ? whole : { ...whole, attachments: [] });
  const named = calls.map((call) => ({ ...call, documentDigest: documentDigest(call.body) }));
  const { environment, version: routeVersion } = destination;
  const digest = gateDigest({
    taskId,
    action,
    revision,
    environment,
    routeVersion,
    calls: named,
    attachments: attachments.map(({ sha256 }) => sha256),
  });
  const left = attachments.length > 0 && !takesAttachments;
  const id = newId();
  const expiresAt = new Date(now.getTime() + practice.gateExpiryDays * dayMs);
  const frozen: FrozenGate = {
    id,
    dueAt: dueOf(freeze),
    calls,
    documentDigests: named.map((call) => call.documentDigest),
    ...{ connection, rule },
    routeId: destination.routeId || undefined,
    routeVersion,
    connector: destination.connector,
    environment,
    warnings: warningsOf(freeze, {
      files: { count: attachments.length, left },
      leftOut: manual ? [] : connector.leftOut(review, destination.settings),
    }),
    purpose: reason,
  };
  const gate = { id, manual, digest, openedAt: now, expiresAt, ...(action === "void" ? { revision } : {}) };
  return { gate, frozen };
}

/** The authorization numbers of the determination in force, each once; none where it authorizes nothing. */
function numbersInForce({ contested: inForce }: Freeze): readonly string[] {
  if (!inForce || !isAuthorization(inForce.outcome)) return [];
  const { authorizationNumber, lines } = inForce;
  return [...new Set([authorizationNumber, ...lines.map(({ number }) => number)])].flatMap((number) => number ?? []);
}

function isAppeal({ action, review }: Pick<Freeze, "action" | "review">): boolean {
  return action === "transmit" && review.appeal !== undefined;
}

/** The practice's target; for an appeal no later than the payer's last day. */
function dueOf(freeze: Freeze): Date {
  const { review, contested, now, heldSince = now, route } = freeze;
  const { urgentTargetH, standardTargetH, timeZone } = route.practice;
  const targetH = isUrgent(review) ? urgentTargetH : standardTargetH;
  const target = new Date(heldSince.getTime() + targetH * hourMs);
  const appealBy = isAppeal(freeze) ? contested?.appealBy : undefined;
  const last = appealBy === undefined ? undefined : endOfDay(timeZone, appealBy, 0);
  return last && last < target ? last : target;
}

/** The warnings that need an override reason, as far as they follow from the request itself. */
function warningsOf(
  { action, update = false, review, route, now, contested }: Freeze,
  { files, leftOut }: Pick<CaseFacts, "files" | "leftOut">,
): readonly CheckType[] {
  const { practice, configured } = route;
  const today = dayIn(practice.timeZone, now);
  const checks = checksOf({
    action,
    update,
    review,
    today,
    openedOn: today,
    missing: [],
    required: [],
    providers: practice.providers,
    leftOut,
    files,
    appealBy: contested?.appealBy,
    practiceActive: true,
    route: { configured, reachable: true, changed: false },
    delegatedInPart: update ? undefined : delegatedInPart(route, review),
    others: [],
  });
  return [...new Set(checks.filter((check) => needsReason(check, practice)).map(({ type }) => type))];
}

/** JSON pointers of what the payer connection still needs. A void needs nothing more: the payer has the case. */
export function missingFor({ destination }: ResolvedRoute, review: ServiceReview): readonly string[] {
  // A person brings an appeal, and the payer has everything else.
  if (review.appeal) return [];
  const { connector, requiredFields = [] } = destination;
  const required = requiredFields.flatMap((field) => lacking(review, field));
  return [...new Set([...connectors[connector].check(review), ...required])];
}
