import { createHash } from "node:crypto";
import type { Case, Item } from "./cases.ts";
import type { Node } from "./json.ts";
import { nodeAt } from "./json.ts";
import type { Problem } from "./request.ts";
import { codes, profileUrls, testTag, urls } from "./vocabulary.ts";

const validDays = 90;
const meta = (profile: string): Node => ({ profile: [profile], tag: [{ ...testTag }] });
const concept = (system: string, code: string): Node => ({ coding: [{ system, code }] });

/** The reply to a submission: one ClaimResponse first, then what it refers to, echoing the request's identifiers and addresses. */
export function responseBundle(of: Case, at: Date): Node {
  const refused = of.state === "rejected" || of.state === "held";
  return bundleOf(of, at, {
    profile: profileUrls.response,
    response: { ...responseOf(of, profileUrls.claimResponse), ...(refused ? { error: errorsOf(of) } : answered(of)) },
  });
}

/** The reply to an inquiry, PAS 2.2.1: Parameters with one bundle for each case found. */
export function inquiryParameters(found: readonly Case[], at: Date): Node {
  const bundles = found
    .filter(({ state }) => state !== "rejected")
    .map((of) => {
      const response = { ...responseOf(of, profileUrls.claimInquiryResponse), ...answered(of) };
      return { name: "responseBundle", resource: bundleOf(of, at, { profile: profileUrls.inquiryResponse, response }) };
    });
  return {
    resourceType: "Parameters",
    meta: { tag: [{ ...testTag }] },
    ...(bundles.length > 0 ? { parameter: bundles } : {}),
  };
}

/** The refusal of a request that is not valid, PAS "Transaction Error Handling". */
export function operationOutcome(
  problems: readonly (Omit<Problem, "code" | "at"> & { readonly code: string; readonly at?: string })[],
): Node {
  return {
    resourceType: "OperationOutcome",
    meta: { tag: [{ ...testTag }] },
    issue: problems.map(({ code, at, text }) => ({
      severity: "error",
      code,
      details: { text: at === undefined ? text : `${at} ${text}` },
      ...(at === undefined ? {} : { expression: [at] }),
    })),
  };
}

function bundleOf(of: Case, at: Date, { profile, response }: { profile: string; response: Node }): Node {
  const referred = [of.patient, of.insurer, of.requestor].filter(
    ({ resource }) => resource["resourceType"] !== "PractitionerRole",
  );
  return {
    resourceType: "Bundle",
    meta: meta(profile),
    identifier: { system: of.bundleSystem, value: of.bundleId },
    type: "collection",
    timestamp: at.toISOString(),
    entry: [
      { fullUrl: `urn:uuid:${uuidOf(`${of.bundleId}/response`)}`, resource: response },
      ...referred.map(({ fullUrl, resource }) => ({ fullUrl, resource })),
    ],
  };
}

function responseOf(of: Case, profile: string): Node {
  return {
    resourceType: "ClaimResponse",
    meta: meta(profile),
    identifier: [of.trace],
    status: "active",
    type: of.claimType,
    use: "preauthorization",
    patient: { reference: of.patient.fullUrl },
    created: of.decidedAt ?? of.receivedAt,
    insurer: { reference: of.insurer.fullUrl },
    requestor: { reference: of.requestor.fullUrl },
    request: { reference: of.claimUrl },
    // PAS says nothing by this: approved, pended and denied are all "complete".
    outcome: of.state === "rejected" || of.state === "held" ? "error" : "complete",
  };
}

function answered(of: Case): Node {
  const modified = of.items.filter(({ action }) => action === "A6");
  return {
    item: of.items.map((item) => itemOf(of, item)),
    ...(modified.length > 0 ? { addItem: modified.map((item) => addedItem(of, item)) } : {}),
    ...(of.note === undefined ? {} : { processNote: [{ number: 1, text: of.note }] }),
    ...(of.state === "decided"
      ? {
          extension: [
            { url: urls.reviewer, extension: [{ url: "wasHumanReviewedFlag", valueBoolean: of.note !== undefined }] },
          ],
        }
      : {}),
  };
}

function itemOf(of: Case, item: Item): Node {
  const certified = item.action === "A1" || item.action === "A2" || item.action === "A6";
  const extension = [
    { url: urls.reference, valueString: of.reference },
    ...(certified
      ? [
          { url: urls.issued, valueDate: day(of, 0) },
          { url: urls.period, valuePeriod: { start: day(of, 0), end: day(of, validDays) } },
        ]
      : []),
  ];
  return {
    extension,
    itemSequence: item.sequence,
    ...(of.note === undefined ? {} : { noteNumber: [1] }),
    adjudication: [adjudicationOf(of, item)],
  };
}

function adjudicationOf(of: Case, { action }: Item): Node {
  const numbered = action === "A1" || action === "A2" || action === "A6";
  const extension = [
    ...(numbered ? [{ url: "number", valueString: of.authorizationNumber }] : []),
    ...(of.reason !== undefined && action === "A3"
      ? [{ url: "reasonCode", valueCodeableConcept: concept(codes.reason, of.reason) }]
      : []),
    { url: urls.reviewActionCode, valueCodeableConcept: concept(codes.action, action) },
  ];
  return { extension: [{ url: urls.reviewAction, extension }], category: concept(codes.adjudication, "submitted") };
}

/** What was authorized instead, pointing at the item that was asked (PAS "Returning Authorized Items"). */
function addedItem(of: Case, item: Item): Node {
  const quantity = item.quantity === undefined ? 1 : Math.max(1, Math.floor(item.quantity / 2));
  return {
    itemSequence: [item.sequence],
    productOrService: { coding: [{ code: item.code }] },
    quantity: { value: quantity, system: codes.quantity, code: item.unit ?? "UN" },
    adjudication: [adjudicationOf(of, { ...item, action: "A1" })],
  };
}

function errorsOf({ scenario }: Case): readonly Node[] {
  if (scenario.type !== "reject") return [];
  const extension = [
    { url: urls.errorPath, valueString: scenario.path },
    { url: urls.followUp, valueCodeableConcept: concept(codes.followUp, scenario.followUp) },
  ];
  return [{ extension, code: concept(codes.reject, scenario.reject) }];
}

function day(of: Case, later: number): string {
  return new Date(Date.parse(of.decidedAt ?? of.receivedAt) + later * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The same reply, but about somebody else: what a mixed-up payer would send. */
export function mixedUp(reply: Node): Node {
  const entries = Array.isArray(reply["entry"])
    ? reply["entry"].filter((each): each is Node => typeof each === "object" && each !== null)
    : [];
  const [first, ...others] = entries;
  const response = {
    ...nodeAt(first ?? {}, "resource"),
    identifier: [{ system: "urn:trnorg:9000000000", value: "SOMEBODY-ELSE" }],
    request: { reference: "urn:uuid:00000000-0000-8000-a000-000000000000" },
  };
  return {
    ...reply,
    identifier: { system: "urn:ietf:rfc:3986", value: "urn:uuid:00000000-0000-8000-a000-000000000001" },
    entry: [{ ...first, resource: response }, ...others],
  };
}

/** The same reply without the mark of test data. */
export function unmarked(reply: Node): Node {
  // Safe because a JSON value parses back to a JSON value of the same kind.
  return JSON.parse(JSON.stringify(reply, (key, value: unknown) => (key === "tag" ? undefined : value))) as Node;
}
