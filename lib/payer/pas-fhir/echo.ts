import { isDifferentPerson } from "#lib/payer/same-person";
import { dayOf } from "#lib/payer/agreed-value";
import { isHeaderOnly, detailTerms } from "./lines.ts";
import { personOf, bundleIdSystem, type FrozenRequest } from "./frozen-request.ts";
import { addressIn } from "./providers.ts";
import type { ResponseBundle } from "./reply.ts";
import { extensionOf, type ClaimResponse } from "./resources.ts";
import { extensions } from "./vocabulary.ts";

/** Whether an answer names this request, another one, or none. */
export type EchoMatch = "this" | "another" | "silent";

/** `others` are the other submitted requests of the case, which an answer may name as well. */
export type EchoContext = {
  readonly sent: FrozenRequest;
  readonly others: readonly FrozenRequest[];
  readonly bundle: ResponseBundle;
  readonly operation: "submit" | "inquire";
  /** The trace number of our inquiry, which its answer may repeat without naming a request. */
  readonly inquiryTrace?: string | undefined;
};

/**
 * Whether an answer names the request by our trace number or our Claim's
 * address, and contradicts none of them (PAS "Prior Authorization Response":
 * "the Claim URL or identifier does need to be sent"). The answer's bundle has
 * an identity of the payer's own; that it repeats ours names the request, that
 * it does not says nothing.
 */
export function namesRequest({ sent, others, bundle, operation, inquiryTrace }: EchoContext): EchoMatch {
  const { identifier, response } = bundle;
  const known = [sent, ...others];
  const all = [...(response.identifier ?? []), ...(response.request?.identifier ? [response.request.identifier] : [])];
  const traces = all.filter(({ value }) => inquiryTrace === undefined || value !== inquiryTrace);
  const own = traces.filter(({ system }) => system === sent.trace.system);
  const request = response.request?.reference;
  const contradicted =
    own.some(({ value }) => !known.some(({ trace }) => trace.value === value)) ||
    (request?.startsWith("urn:uuid:") === true && !known.some(({ claimUrl }) => claimUrl === request));
  if (contradicted) return "another";
  const repeated =
    operation === "submit" && identifier?.system === bundleIdSystem && identifier.value === sent.bundleId;
  // Our trace numbers are unique by themselves; the official answers repeat them under a system of the payer's own.
  const named = traces.some(({ value }) => value === sent.trace.value) || request === sent.claimUrl;
  return named || repeated ? "this" : "silent";
}

/**
 * Whether an answer speaks of our patient: by the address we gave, by a logical reference, or by the patient it brings, who
 * is nobody else. Silent where it names somebody by another address whom it does not bring, or not in readable form.
 */
export function patientIn(sent: FrozenRequest, { response, patients }: ResponseBundle): "ours" | "another" | "silent" {
  const { reference, identifier } = response.patient;
  const at = reference === undefined ? undefined : addressIn(patients.keys(), reference);
  const brought = at === undefined ? undefined : patients.get(at);
  if (at !== undefined && !brought) return "silent";
  if (brought && isDifferentPerson(sent.patient, personOf(brought))) return "another";
  const ids = brought?.identifier ?? [];
  if (ids.length > 0) return ids.some(({ value }) => isMember(sent, value)) ? "ours" : "another";
  if (identifier?.value !== undefined) return isMember(sent, identifier.value) ? "ours" : "another";
  return reference === sent.patientUrl ? "ours" : "silent";
}

function isMember({ memberId }: FrozenRequest, value: string | undefined): boolean {
  return value?.toUpperCase() === memberId.toUpperCase();
}

/** Whether an answer speaks of exactly the items that were asked, each once, or of all of them at once. */
export function namesItems(sent: FrozenRequest, { response }: ResponseBundle): boolean {
  if (isHeaderOnly(response)) return true;
  const sequences = (response.item ?? []).map(({ itemSequence }) => itemSequence);
  return (
    sequences.length === sent.items.size &&
    new Set(sequences).size === sequences.length &&
    sequences.every((each) => sent.items.has(each))
  );
}

/** Whether what an answer repeats of the services and days it was asked for is all of them, none of it, or something else. */
export function contentOf(sent: FrozenRequest, bundle: ResponseBundle): "same" | "other" | "silent" {
  if (!namesItems(sent, bundle)) return "other";
  const items = bundle.response.item ?? [];
  const compared = items.map((item) => comparedTo(sent, item));
  if (compared.includes("other")) return "other";
  return items.length > 0 && compared.every((each) => each === "same") ? "same" : "silent";
}

function comparedTo(
  { items }: FrozenRequest,
  item: NonNullable<ClaimResponse["item"]>[number],
): "same" | "other" | "silent" {
  const operation = items.get(item.itemSequence);
  const days = requestedDays(item);
  const code = detailTerms(item, operation?.code)?.code;
  const otherDays = days !== undefined && !isSameDays(days, operation);
  if (otherDays || (code !== undefined && code !== operation?.code)) return "other";
  return days !== undefined && code !== undefined ? "same" : "silent";
}

type Days = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The days the payer says it was asked for. */
function requestedDays({ extension }: NonNullable<ClaimResponse["item"]>[number]): Days | undefined {
  const stated = extensionOf(extension, extensions.itemRequestedServiceDate);
  const from = dayOf(stated?.valuePeriod?.start ?? stated?.valueDate ?? stated?.valueDateTime);
  return from === undefined ? undefined : { from, to: dayOf(stated?.valuePeriod?.end) ?? from };
}

/** Days that were not asked for cannot be others. */
function isSameDays(stated: Days, operation: Days | undefined): boolean {
  if (operation?.from === undefined) return true;
  return stated.from === operation.from && stated.to === (operation.to ?? operation.from);
}

/** Every number an answer gives the case as the payer's own. */
export function payerNumbers({ response }: ResponseBundle): readonly string[] {
  const number = extensionOf(response.extension, extensions.authorizationNumber)?.valueString;
  const lists = [response.extension, ...(response.item ?? []).map(({ extension }) => extension)];
  const given = lists.map((list) => extensionOf(list, extensions.administrationReferenceNumber)?.valueString);
  const reviewed = (response.item ?? []).flatMap(({ adjudication = [] }) =>
    adjudication.flatMap(({ extension }) => {
      const review = extensionOf(extension, extensions.reviewAction);
      return extensionOf(review?.extension, "number")?.valueString;
    }),
  );
  return [response.preAuthRef, number, ...given, ...reviewed].flatMap((number) => number ?? []);
}
