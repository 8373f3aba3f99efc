import { randomUUID } from "node:crypto";
import type { Bundle, Claim, ClaimItem, Identifier } from "fhir/r4";
import { assert } from "#lib/platform/result";
import type { Build, Call } from "#lib/payer/connector";
import { operationUrl } from "./build.ts";
import { defined } from "./parts.ts";
import { reachable } from "./references.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { extensions, profiles, systems } from "./vocabulary.ts";

type InquiryInput = {
  /** The submission as it was sent. */
  readonly sent: Call;
  readonly destination: Build["destination"];
  readonly payerReference: string | undefined;
  /** What this inquiry is called; another each time. */
  readonly trace: string;
};

/**
 * The `Claim/$inquire` for one sent request: a query for any service
 * ("not-applicable") of one patient, with the payer's own reference where it is
 * known (PAS 2.2.1 "Prior Authorization Inquiries"). It repeats patient, payer,
 * coverage and requester as they were sent, and nothing clinical. Its trace
 * number names the inquiry and nothing that was sent, so that an answer which
 * names what was sent has it from the payer's own record.
 */
export function inquiry({ sent, destination, payerReference, trace }: InquiryInput): Call {
  // Safe because the bytes are a bundle that `build` made.
  const request = JSON.parse(Buffer.from(sent.body).toString("utf8")) as Bundle;
  const [first, ...others] = request.entry ?? [];
  assert(first?.resource?.resourceType === "Claim", "a sent bundle begins with its Claim");
  // Safe because the line above has just seen that it is a Claim.
  const submitted = first.resource as Claim;
  const now = new Date().toISOString();
  const claim: Claim = {
    ...queryOf(submitted, { payerReference, trace, version: readSettings(destination).version }),
    created: now,
  };
  const bundle: Bundle = {
    resourceType: "Bundle",
    meta: { ...request.meta, profile: [profiles.inquiryBundle] },
    identifier: { system: systems.uri, value: `urn:uuid:${randomUUID()}` },
    type: "collection",
    timestamp: now,
    entry: [{ fullUrl: `urn:uuid:${randomUUID()}`, resource: claim }, ...reachable([claim], others)],
  };
  return {
    method: "POST",
    url: operationUrl(destination, "$inquire"),
    contentType: "application/fhir+json",
    body: Buffer.from(JSON.stringify(bundle), "utf8"),
  };
}

type Query = Pick<InquiryInput, "payerReference" | "trace"> & { readonly version: PasVersion };

function queryOf(claim: Claim, { payerReference, trace, version }: Query): Claim {
  const {
    status,
    type,
    use,
    patient,
    created,
    extension = [],
    insurer,
    provider,
    priority,
    insurance,
    identifier,
  } = claim;
  const sender = extension.filter(({ url }) => url === extensions.transmissionIdentifiers);
  const reference =
    payerReference === undefined
      ? []
      : [{ url: extensions.administrationReferenceNumber, valueString: payerReference }];
  // 2.0.1 has a place for it on the item alone.
  const head = [...sender, ...(version === "2.2.1" ? reference : [])];
  const item = defined<ClaimItem>({
    extension: reference.length > 0 ? reference : undefined,
    sequence: 1,
    productOrService: {
      coding: [{ system: systems.dataAbsent, code: "not-applicable" }],
    },
  });
  return defined<Claim>({
    resourceType: "Claim",
    meta: { profile: [profiles.claimInquiry] },
    extension: head.length > 0 ? head : undefined,
    identifier: identifier?.slice(0, 1).map(({ system }) => defined<Identifier>({ system, value: trace })),
    status,
    type,
    use,
    patient,
    created,
    insurer,
    provider,
    priority,
    insurance,
    item: [item],
  });
}
