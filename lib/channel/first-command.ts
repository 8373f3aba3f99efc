import type { Context } from "#lib/access/context";
import { deny } from "#lib/access/deny";
import { isAdmin } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { findAdministeredChannel } from "#lib/channel/administered-channel";
import { newId } from "#lib/db/new-id";
import { now } from "#lib/platform/now";
import { ok, type Result } from "#lib/platform/result";
import { showPractice } from "#lib/practice/list-practices";

/** A first request, to a payer that answers or to one that a person submits to; or a question whose refusal proves the key. */
export type FirstCommand = { readonly kind: "request" | "manual-request" | "key-check"; readonly text: string };

/**
 * A command that works as it is pasted, to try a channel's key with: where the channel may send requests to a practice in
 * the test environment, a first request; otherwise a question that is answered by an error and proves the key.
 */
export async function firstCommand(
  ctx: Context,
  { channelId, key, baseUrl }: { readonly channelId: string; readonly key: string; readonly baseUrl: string },
): Promise<Result<FirstCommand | undefined, AdminRefusal>> {
  if (!isAdmin(ctx.actor)) return deny(ctx, "channels");
  const found = await findAdministeredChannel(ctx.store, ctx.actor, channelId);
  if (!found.ok) return found;
  const { atoms, practices } = found.value;
  for (const { id: practiceId } of atoms.includes("prior_auth_intake") ? practices : []) {
    const practice = await showPractice(ctx, { practiceId });
    if (!practice.ok || practice.value.environment !== "test" || practice.value.status !== "active") continue;
    const payers = practice.value.routes.filter(({ environment }) => environment === "test");
    const answering = payers.find(({ connector }) => connector !== "manual");
    const payerId = (answering ?? payers[0])?.payerId ?? "TEST-PAYER";
    const kind = answering ? "request" : "manual-request";
    return ok({ kind, text: curl({ baseUrl, key }, intakeTo(practiceId, payerId)) });
  }
  if (!atoms.includes("tasks_get")) return ok(undefined);
  const call = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: newId() } };
  return ok({ kind: "key-check", text: curl({ baseUrl, key }, call) });
}

/** Of invented people, with what every connector needs. */
function intakeTo(practiceId: string, payerId: string): object {
  const person = { lastName: "Haugen", firstName: "Berit" };
  const provider = { npi: "2000481020", organizationName: "Lakeshore Spine & Orthopedics", phone: "6055550118" };
  const serviceReview = {
    payer: { id: payerId },
    ...{ requestTypeCode: "HS", certificationTypeCode: "I", serviceTypeCode: "62", placeOfServiceCode: "22" },
    ...{ fromDate: dayAhead(30), toDate: dayAhead(90) },
    subscriber: { memberId: "HL20551873", ...person },
    patient: { ...person, birthDate: "1971-05-19", genderCode: "F", subscriberRelationshipCode: "18" },
    requestingProvider: provider,
    renderingProviders: [provider],
    diagnoses: [{ code: "M54.16", qualifierCode: "ABK" }],
    procedures: [{ code: "72148", quantity: 1, quantityTypeCode: "UN" }],
  };
  const message = {
    kind: "message",
    role: "user",
    messageId: newId(),
    parts: [{ kind: "data", data: { skill: "prior_auth_intake", practiceId, serviceReview } }],
  };
  return { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
}

const dayMs = 86_400_000;

const dayAhead = (days: number) => new Date(now().getTime() + days * dayMs).toISOString().slice(0, 10);

/** Ids hold no quote, so that the command is one in every shell. */
function curl({ baseUrl, key }: { readonly baseUrl: string; readonly key: string }, call: object): string {
  return [
    `curl -s ${baseUrl}/api/a2a \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -d '${JSON.stringify(call).replaceAll("'", String.raw`'\''`)}'`,
  ].join("\n");
}
