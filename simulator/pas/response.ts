import { createHash } from "node:crypto";
import type { Case, CaseItem } from "#simulator/core/case";
import type { Message } from "#simulator/core/ledger";
import type { Rejection } from "#simulator/core/review";
import { nodeAt, type Node } from "#simulator/json";
import type { Echo } from "./read-request.ts";
import type { Problem } from "./request.ts";
import { codes, profileUrls, testTag, urls } from "./vocabulary.ts";

const validDays = 90;
const meta = (profile: string): Node => ({ profile: [profile], tag: [{ ...testTag }] });
const concept = (system: string, code: string): Node => ({ coding: [{ system, code }] });

/** A case, and the message of it that an answer answers. */
type Answered = { readonly case: Case; readonly message: Message };

/** The reply to a submission: one ClaimResponse first, then what it refers to, echoing the request's identifiers and addresses. */
export function responseBundle(answered: Answered, at: Date): Node {
  const { case: of, message } = answered;
  const rejection = message.rejection ?? of.rejection;
  return bundleOf(message, at, {
    profile: profileUrls.response,
    response: {
      ...responseOf(answered, profileUrls.claimResponse),
      ...(rejection ? { error: [errorOf(rejection)] } : decisionOf(of)),
    },
  });
}

/** The reply to an inquiry, PAS 2.2.1: Parameters with one bundle for each case found. */
export function inquiryParameters(found: readonly Answered[], at: Date): Node {
  const bundles = found
    .filter(({ case: of }) => of.state !== "rejected")
    .map((answered) => {
      const response = { ...responseOf(answered, profileUrls.claimInquiryResponse), ...decisionOf(answered.case) };
      const resource = bundleOf(answered.message, at, { profile: profileUrls.inquiryResponse, response });
      return { name: "responseBundle", resource };
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

function bundleOf(message: Message, at: Date, { profile, response }: { profile: string; response: Node }): Node {
  const { bundleSystem, patient, insurer, requestor } = echoOf(message);
  const referred = [patient, insurer, requestor].filter(
    ({ resource }) => resource["resourceType"] !== "PractitionerRole",
  );
  return {
    resourceType: "Bundle",
    meta: meta(profile),
    identifier: { system: bundleSystem, value: message.identity },
    type: "collection",
    timestamp: at.toISOString(),
    entry: [
      { fullUrl: `urn:uuid:${uuidOf(`${message.identity}/response`)}`, resource: response },
      ...referred.map(({ fullUrl, resource }) => ({ fullUrl, resource })),
    ],
  };
}

function echoOf({ echo }: Message): Echo {
  // Safe because this wire wrote it.
  return echo as Echo;
}

function responseOf({ case: of, message }: Answered, profile: string): Node {
  const { trace, claimType, patient, insurer, requestor, claimUrl } = echoOf(message);
  return {
    resourceType: "ClaimResponse",
    meta: meta(profile),
    identifier: [trace],
    status: "active",
    type: claimType,
    use: "preauthorization",
    patient: { reference: patient.fullUrl },
    created: of.decidedAt ?? of.receivedAt,
    insurer: { reference: insurer.fullUrl },
    requestor: { reference: requestor.fullUrl },
    request: { reference: claimUrl },
    // PAS says nothing by this: approved, pended and denied are all "complete".
    outcome: message.rejection || of.rejection ? "error" : "complete",
  };
}

function decisionOf(of: Case): Node {
  const added = of.items.flatMap((item) => addedItem(of, item) ?? []);
  return {
    item: of.items.map((item) => itemOf(of, item)),
    ...(added.length > 0 ? { addItem: added } : {}),
    ...(of.note === undefined ? {} : { processNote: [{ number: 1, text: of.note }] }),
    ...(of.decidedAt === undefined
      ? {}
      : {
          extension: [
            { url: urls.reviewer, extension: [{ url: "wasHumanReviewedFlag", valueBoolean: of.note !== undefined }] },
          ],
        }),
  };
}

function itemOf(of: Case, item: CaseItem): Node {
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

function adjudicationOf(of: Case, { action }: CaseItem): Node {
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
function addedItem(of: Case, item: CaseItem): Node | undefined {
  if (!item.authorized) return undefined;
  return {
    itemSequence: [item.sequence],
    productOrService: { coding: [{ code: item.code }] },
    quantity: { value: item.authorized.quantity, system: codes.quantity, code: item.authorized.unit },
    adjudication: [adjudicationOf(of, { ...item, action: "A1" })],
  };
}

/** Where in the request the rejected part stands. */
const placeOf: Readonly<Record<Rejection["about"], string>> = {
  member: "Bundle.entry[3].Coverage.subscriberId",
  item: "Bundle.entry[0].Claim.item[0]",
  request: "Bundle.entry[0].Claim",
};

function errorOf({ reject, followUp, about }: Rejection): Node {
  const extension = [
    { url: urls.errorPath, valueString: placeOf[about] },
    { url: urls.followUp, valueCodeableConcept: concept(codes.followUp, followUp) },
  ];
  return { extension, code: concept(codes.reject, reject) };
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
