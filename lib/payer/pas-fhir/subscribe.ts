import { payerNotes } from "#lib/messages/labels/payer-notes";
import type { Subscription } from "fhir/r4";
import { z } from "zod";
import type { Destination } from "#lib/payer/model/destination";
import { assert } from "#lib/platform/result";
import type { Call, PushTarget, SubscriptionResult, Transport } from "#lib/payer/connector";
import { jsonOf } from "#lib/payer/tokens";
import { payerReasons } from "#lib/messages/reasons/payer";
import { issuesOf } from "./rejection.ts";
import { readPayload } from "./reply.ts";
import { readSettings } from "./settings.ts";
import { exchangeWithPayer } from "./exchange.ts";
import { capabilityIn, offersNotifications } from "./capability.ts";
import { pasTopic } from "./vocabulary.ts";

const profile = "http://hl7.org/fhir/us/davinci-pas/StructureDefinition/profile-subscription";
const backport = "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition";

const createdSchema = z.object({ resourceType: z.literal("Subscription"), id: z.string().max(200).optional() });

/**
 * Asks the payer to bring its decisions to `endpoint` (PAS "Subscription": R4
 * backport, rest-hook, full resource), showing the secret as a bearer.
 */
export async function subscribe(to: Destination, push: PushTarget, transport: Transport): Promise<SubscriptionResult> {
  const { senderId } = readSettings(to);
  if (senderId === undefined)
    return {
      ok: false,
      problem: payerReasons.noSenderId,
    };
  const exchange = await exchangeWithPayer(subscriptionCall(to, push), transport);
  if (exchange.kind !== "reply") return { ok: false, problem: exchange.reason };
  const { status, bytes, headers } = exchange;
  if (status !== 200 && status !== 201) {
    const payload = readPayload(exchange);
    const why = payload.kind === "outcome" ? `: ${issuesOf(payload.outcome)}` : "";
    return { ok: false, problem: payerReasons.subscriptionRefused(status, why) };
  }
  const created = createdSchema.safeParse(jsonOf(bytes)).data;
  const located = /\/Subscription\/([A-Za-z0-9.-]{1,64})(?:\/|$)/.exec(headers.location ?? "")?.[1];
  const id = created?.id ?? located;
  return id === undefined ? { ok: false, problem: payerReasons.noSubscription } : { ok: true, id };
}

/** Whether the payer's CapabilityStatement offers Subscriptions to the topic of PAS. */
export async function notificationsOffered({ url }: Destination, transport: Transport): Promise<boolean | undefined> {
  const address = `${url?.replace(/\/+$/, "") ?? ""}/metadata`;
  const contentType = "application/fhir+json";
  const call = { method: "GET", url: address, contentType, body: new Uint8Array() } as const;
  const read = capabilityIn(await exchangeWithPayer(call, transport));
  return read.ok ? offersNotifications(read.capability) : undefined;
}

/** Deletes a Subscription at the payer; one that is not there is as good. */
export async function unsubscribe(
  { url, id }: { readonly url: string; readonly id: string },
  transport: Transport,
): Promise<boolean> {
  const exchange = await exchangeWithPayer(
    {
      method: "DELETE",
      url: `${url.replace(/\/+$/, "")}/Subscription/${encodeURIComponent(id)}`,
      contentType: "application/fhir+json",
      body: new Uint8Array(),
    },
    transport,
  );
  return exchange.kind === "reply" && [200, 202, 204, 404, 410].includes(exchange.status);
}

function subscriptionCall({ url, settings }: Destination, { endpoint, secret }: PushTarget): Call {
  const { senderId, subscriptionFilter } = readSettings({ settings });
  assert(url !== undefined && senderId !== undefined, "a route that is pushed to has an address and a sender");
  const subscription: Subscription = {
    resourceType: "Subscription",
    meta: { profile: [profile] },
    status: "requested",
    reason: payerNotes.subscription,
    criteria: pasTopic,
    _criteria: {
      extension: [{ url: `${backport}/backport-filter-criteria`, valueString: `${subscriptionFilter}=${senderId}` }],
    },
    channel: {
      type: "rest-hook",
      endpoint,
      header: [`Authorization: Bearer ${secret}`],
      payload: "application/fhir+json",
      _payload: { extension: [{ url: `${backport}/backport-payload-content`, valueCode: "full-resource" }] },
    },
  };
  return {
    method: "POST",
    url: `${url.replace(/\/+$/, "")}/Subscription`,
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(subscription), "utf8"),
  };
}
