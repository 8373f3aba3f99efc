import { ok, refuse, type Result } from "#lib/platform/result";
import { readStrictJson } from "#lib/payer/strict-json";
import { kindOf, isMarkedTest, responseBundle, isMarkedLive, type ResponseBundle } from "./reply.ts";
import { notificationSchema, statusSchema } from "./resources.ts";

export type Notification = {
  readonly bundles: readonly ResponseBundle[];
  /** It brings something that may be an answer and is no response bundle we can read. */
  readonly hasUnreadable: boolean;
  readonly test: boolean;
  readonly live: boolean;
  /** Something happened, whatever it brings of that; a handshake or a heartbeat is none. */
  readonly isEvent: boolean;
};

/** A notification's response bundles (R4 backport, rest-hook with full resources); the refusal says why it is none. */
export function readNotification(bytes: Uint8Array): Result<Notification, string> {
  const value = readStrictJson(bytes);
  if (value === undefined) return refuse("The body is not JSON in strict UTF-8 with each name once.");
  const notification = notificationSchema.safeParse(value);
  if (!notification.success) return refuse(notNotification(value));
  const { meta: labels, entry } = notification.data;
  const resources = entry.flatMap(({ resource }) => resource ?? []);
  const kind = resources.map(typeOf).find((type) => type !== undefined);
  const rest = resources.filter((resource) => typeOf(resource) === undefined);
  const bundles = rest.filter((resource) => kindOf(resource) === "Bundle");
  const read = bundles.flatMap((resource) => responseBundle(resource) ?? []);
  const isBare = rest.some((resource) => kindOf(resource) === "ClaimResponse");
  if (isBare && bundles.length === 0) return refuse(bareResponse);
  if (kind === undefined && bundles.length === 0) return refuse(noStatus);
  return ok({
    test: isMarkedTest(labels),
    live: isMarkedLive(labels),
    isEvent: kind === "event-notification",
    bundles: read,
    // What comes beside a response bundle explains it; alone, it may be all there is.
    hasUnreadable: isBare || read.length < bundles.length || (read.length === 0 && rest.length > 0),
  });
}

const noStatus = "The notification Bundle has neither a status that says its type nor a PAS response Bundle.";

const bareResponse =
  "A ClaimResponse is read only inside its PAS response Bundle, which is an entry of the notification Bundle.";

/** Why a body is no notification, as its payer is told. */
function notNotification(value: unknown): string {
  if (kindOf(value) === "ClaimResponse") return bareResponse;
  return "The body is not a notification: a Bundle of type history or subscription-notification with its entries.";
}

/** What kind of notification a status entry says it is (R4 backport). */
function typeOf(resource: unknown): string | undefined {
  const { parameter = [] } = statusSchema.safeParse(resource).data ?? {};
  return parameter.find(({ name }) => name === "type")?.valueCode;
}
