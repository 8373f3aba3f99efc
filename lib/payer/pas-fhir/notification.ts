import { pasNotificationReasons } from "#lib/messages/reasons/pas-reply";
import { ok, refuse, type Result } from "#lib/platform/result";
import { readStrictJson } from "#lib/payer/strict-json";
import { kindOf, isMarkedTest, responseBundle, isMarkedLive, type ResponseBundle } from "./reply.ts";
import { hasRules, isModifiedItself } from "./modifiers.ts";
import { speaksOtherwise } from "./qualified.ts";
import { notificationSchema, ownStatusSchema, statusSchema } from "./resources.ts";

export type Notification = {
  readonly bundles: readonly ResponseBundle[];
  /** It brings something that may be an answer and is no response bundle we can read. */
  readonly hasUnreadable: boolean;
  readonly test: boolean;
  readonly live: boolean;
  /** Something happened, whatever it brings of that; a handshake or a heartbeat is none. */
  readonly isEvent: boolean;
  /** The payer says that the subscription is off or has failed. */
  readonly isEnded: boolean;
};

/** A notification's response bundles (R4 backport, rest-hook with full resources); the refusal says why it is none. */
export function readNotification(bytes: Uint8Array): Result<Notification, string> {
  const value = readStrictJson(bytes);
  if (value === undefined) return refuse(pasNotificationReasons.notStrictJson);
  const notification = notificationSchema.safeParse(value);
  if (!notification.success) return refuse(notNotification(value));
  const { meta: labels, entry } = notification.data;
  const resources = entry.flatMap(({ resource }) => resource ?? []);
  const kind = resources.map(typeOf).find((type) => type !== undefined);
  const rest = resources.filter((resource) => typeOf(resource) === undefined);
  const bundles = rest.filter((resource) => kindOf(resource) === "Bundle");
  const read = bundles.flatMap((resource) => responseBundle(resource) ?? []);
  const isBare = rest.some((resource) => kindOf(resource) === "ClaimResponse");
  if (isBare && bundles.length === 0) return refuse(pasNotificationReasons.bareClaimResponse);
  if (kind === undefined && bundles.length === 0) return refuse(pasNotificationReasons.statusMissing);
  // Who does not know what changes the meaning of the whole must not act on its parts.
  const isOther = hasRules(notification.data) || entry.some(isModifiedItself);
  const isError = rest.some((resource) => kindOf(resource) === "OperationOutcome" && speaksOtherwise(resource));
  return ok({
    test: isMarkedTest(labels),
    live: isMarkedLive(labels),
    isEvent: kind === "event-notification",
    isEnded: resources.map(statusOf).some((status) => status === "off" || status === "error"),
    bundles: isOther ? [] : read,
    // What comes beside a response bundle explains it, but for an error; alone, it may be all there is.
    hasUnreadable:
      isBare || isError || isOther || read.length < bundles.length || (read.length === 0 && rest.length > 0),
  });
}

/** Why a body is no notification, for the reply to its payer. */
function notNotification(value: unknown): string {
  const { bareClaimResponse, notNotification: other } = pasNotificationReasons;
  return kindOf(value) === "ClaimResponse" ? bareClaimResponse : other;
}

/** What kind of notification a status entry says it is (R4 backport, FHIR R4B). */
function typeOf(resource: unknown): string | undefined {
  return codeOf(resource, "type");
}

/** What a status entry says of the subscription itself. */
function statusOf(resource: unknown): string | undefined {
  return typeOf(resource) === undefined ? undefined : codeOf(resource, "status");
}

function codeOf(resource: unknown, wanted: "type" | "status"): string | undefined {
  const own = ownStatusSchema.safeParse(resource);
  if (own.success) return own.data[wanted];
  const { parameter = [] } = statusSchema.safeParse(resource).data ?? {};
  return parameter.find(({ name }) => name === wanted)?.valueCode;
}
