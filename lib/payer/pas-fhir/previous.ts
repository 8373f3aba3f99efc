import type { Bundle, BundleEntry, Claim, Organization } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { testMarker } from "./vocabulary.ts";

/** The request the payer has, exactly as it was last sent over this wire. */
export type Previous = {
  readonly claimUrl: string;
  readonly claim: Claim;
  /** Everything else in its bundle. */
  readonly others: readonly BundleEntry[];
};

/**
 * What an update or a void of this case refers to. Undefined where nothing was
 * sent over this wire, or where what was sent last went to another payer or
 * environment than the route leads to now: then only a person can act.
 */
export function previousOf({ sent, destination }: Pick<Build, "sent" | "destination">): Previous | undefined {
  const last = sent.findLast(({ action }) => action === "transmit");
  const call = last?.calls.find(isSubmission);
  if (!call) return undefined;
  const { marked, ...previous } = openBundle(call);
  const insurer = previous.others.find(({ fullUrl }) => fullUrl === previous.claim.insurer?.reference)?.resource;
  const payerId = (insurer as Organization | undefined)?.identifier?.[0]?.value;
  const same = payerId === destination.payerId && marked === (destination.environment === "test");
  return same ? previous : undefined;
}

function isSubmission({ contentType, url }: Call): boolean {
  return contentType === "application/fhir+json" && url.endsWith("/Claim/$submit");
}

function openBundle({ body }: Call): Previous & { readonly marked: boolean } {
  // Safe because frozen bytes under this address are a bundle that `build` made.
  const bundle = JSON.parse(Buffer.from(body).toString("utf8")) as Bundle;
  const [first, ...others] = bundle.entry ?? [];
  assert(
    first?.fullUrl !== undefined && first.resource?.resourceType === "Claim",
    "a sent bundle begins with its Claim",
  );
  const tags = bundle.meta?.tag ?? [];
  const marked = tags.some(({ system, code }) => system === testMarker.system && code === testMarker.code);
  // Safe because the line above has just seen that it is a Claim.
  return { claimUrl: first.fullUrl, claim: first.resource as Claim, others, marked };
}
