import type { Bundle, BundleEntry, Claim } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { traceNumber, uuidOf, type TraceOf } from "#lib/payer/trace";
import { check } from "./check.ts";
import { cancelOf, claimOf } from "./claim.ts";
import { documentsOf } from "./documents.ts";
import { stayOf } from "./encounter.ts";
import { ordersOf } from "./orders.ts";
import { partiesOf } from "./parties.ts";
import type { Entry } from "./parts.ts";
import { previousOf, type Previous } from "./previous.ts";
import { reachable } from "./references.ts";
import { readSettings } from "./settings.ts";
import { profiles, systems, testMarker } from "./vocabulary.ts";

/**
 * Builds the `Claim/$submit` of an action: a first request, an update of an earlier one, or its cancellation, as PAS 2.2.1 or
 * 2.0.1 defines them. Pure and deterministic: identifiers derive from task, revision and action, the timestamp is
 * `openedAt`, and an update keeps the sequences of the earlier frozen requests. Requires a review without findings of
 * `check` and, except for a first request, an earlier submission (`previousOf`).
 */
export function build(from: Build): readonly Call[] {
  switch (from.action) {
    case "transmit":
      return [submission(from, from.update ? entriesOfUpdate(from) : entriesOfFirst(from))];
    case "void":
      return [submission(from, entriesOfCancel(from))];
  }
}

/** The address of one PAS operation under a route's FHIR base. */
export function operationUrl({ url }: Build["destination"], operation: "$submit" | "$inquire"): string {
  assert(url !== undefined, "a PAS route has a base address");
  return `${url.replace(/\/+$/, "")}/Claim/${operation}`;
}

function entriesOfFirst(from: Build): readonly BundleEntry[] {
  assert(check(from.review).length === 0, "only a review complete for PAS is built");
  const parties = partiesOf(from);
  const documents = documentsOf(from, parties);
  const stay = stayOf(from, parties);
  const orders = ordersOf(from, parties, stay);
  return [
    claimEntry(from, claimOf(from, { parties, documents, orders, stay })),
    ...[parties, stay, orders, documents].flatMap(({ entries }) => entries),
  ];
}

function entriesOfUpdate(from: Build): readonly BundleEntry[] {
  assert(check(from.review).length === 0, "only a review complete for PAS is built");
  const previous = previousOf(from);
  assert(previous, "an update refers to what was sent before");
  const parties = partiesOf(from);
  const documents = documentsOf(from, { patient: parties.patient, previous });
  const stay = stayOf(from, parties);
  const orders = ordersOf(from, parties, stay);
  const claim = claimOf(from, { parties, documents, orders, stay, previous });
  const entries = [parties, stay, orders, documents].flatMap((each) => each.entries);
  return withPrevious(from, [claimEntry(from, claim), ...entries], previous);
}

function entriesOfCancel(from: Build): readonly BundleEntry[] {
  const previous = previousOf(from);
  assert(previous, "a void refers to what was sent before");
  return withPrevious(from, [claimEntry(from, cancelOf(from, previous))], previous);
}

/**
 * Adds the previous Claim as it was sent (2.2.1), and resources of the earlier bundle that are still referenced. The Claim
 * before the previous one must not be included, so the reference in the previous Claim's `related` is not resolved.
 */
function withPrevious(
  { destination }: Build,
  entries: readonly BundleEntry[],
  { claim, claimUrl, others }: Previous,
): readonly BundleEntry[] {
  const earlier = readSettings(destination).version === "2.2.1" ? [{ fullUrl: claimUrl, resource: claim }] : [];
  const { related: _, ...pointing } = claim;
  const here = new Set(entries.map(({ fullUrl }) => fullUrl));
  const sources = [...entries.map(({ resource }) => resource), ...(earlier.length > 0 ? [pointing] : [])];
  const left = others.filter(({ fullUrl, resource }) => !here.has(fullUrl) && resource?.resourceType !== "Claim");
  return [...entries, ...earlier, ...reachable(sources, left)];
}

function claimEntry(from: Build, claim: Claim): Entry {
  return { fullUrl: claimUrlOf(from), resource: claim };
}

/** The address of the Claim in a request of ours, by which an answer names the request. */
export function claimUrlOf(of: TraceOf): string {
  return `urn:uuid:${uuidOf(`${traceNumber(of)}/claim`)}`;
}

function submission(from: Build, entry: readonly BundleEntry[]): Call {
  const bundle: Bundle = {
    resourceType: "Bundle",
    meta: { profile: [profiles.requestBundle], ...markerOf(from.destination) },
    identifier: { system: systems.uri, value: `urn:uuid:${uuidOf(traceNumber(from))}` },
    type: "collection",
    timestamp: from.openedAt.toISOString(),
    entry: [...entry],
  };
  return {
    method: "POST",
    url: operationUrl(from.destination, "$submit"),
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(bundle, null, 2), "utf8"),
  };
}

/** The tag that marks test data; absent on a live route. */
function markerOf({ environment }: Build["destination"]): { tag?: { system: string; code: string }[] } {
  return environment === "test" ? { tag: [{ ...testMarker }] } : {};
}
