import type { Case, CaseItem } from "#simulator/core/case";
import type { Message } from "#simulator/core/ledger";
import type { Rejection } from "#simulator/core/review";
import { validityOf } from "#simulator/core/validity";
import type { Node } from "#simulator/json";
import { echoOf } from "./read-request.ts";
import { codes, concept, metaOf, urls } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

/** A case, and the message of it that an answer answers. */
export type AnsweredCase = { readonly case: Case; readonly message: Message };

/** How an answer is worded: the version, the profile it is of, and where the documents it asks for stand. */
type Wording = {
  readonly version: PasVersion;
  readonly profile: string;
  readonly wanted: readonly string[];
  /** When an inquiry is answered; absent for the answer to a submission. */
  readonly inquiredAt?: string;
};

/** What the payer says of a case, PAS profile-claimresponse: an error or an action for each item, never by `outcome` alone. */
export function claimResponseOf(answered: AnsweredCase, wording: Wording): Node {
  const { case: of, message } = answered;
  const { trace, claimType, patient, insurer, requestor, claimUrl, coverageAt } = echoOf(message);
  const rejection = message.rejection ?? of.rejection;
  return {
    resourceType: "ClaimResponse",
    meta: metaOf(wording.profile),
    identifier: [trace],
    status: "active",
    type: claimType,
    use: "preauthorization",
    patient,
    created: wording.inquiredAt ?? answeredAt(answered),
    insurer,
    requestor,
    request: { reference: claimUrl },
    // PAS says nothing by this: approved, pended and denied are all "complete".
    outcome: rejection ? "error" : "complete",
    ...(rejection ? { error: [errorOf(rejection, coverageAt)] } : decisionOf(of, wording)),
  };
}

/** When what was asked was decided or refused; when it came, while it is neither. */
function answeredAt(answered: AnsweredCase): string {
  const { case: of, message } = answered;
  return message.rejection ? (refusedAt(answered) ?? message.at) : (of.decidedAt ?? message.at);
}

/** When what was taken was refused after all. */
function refusedAt({ case: { refusal }, message }: AnsweredCase): string | undefined {
  return refusal?.identity === message.identity ? refusal.at : undefined;
}

function decisionOf(of: Case, { version, wanted }: Wording): Node {
  const added = version === "2.2.1" ? of.items.flatMap((item) => addedItem(of, item) ?? []) : [];
  const reviewer = { url: "wasHumanReviewedFlag", valueBoolean: of.note !== undefined };
  return {
    item: of.items.map((item) => itemOf(of, item, version)),
    ...(added.length > 0 ? { addItem: added } : {}),
    ...(of.note === undefined ? {} : { processNote: [{ number: 1, text: of.note }] }),
    ...(wanted.length > 0 ? { communicationRequest: wanted.map((reference) => ({ reference })) } : {}),
    ...(of.decidedAt === undefined || version === "2.0.1"
      ? {}
      : { extension: [{ url: urls.reviewer, extension: [reviewer] }] }),
  };
}

function itemOf(of: Case, item: CaseItem, version: PasVersion): Node {
  const extension = [
    { url: urls.reference, valueString: of.reference },
    ...(isCertified(item)
      ? [
          { url: urls.issued, valueDate: (of.decidedAt ?? of.receivedAt).slice(0, 10) },
          { url: urls.period, valuePeriod: validityOf(of, [item]) },
        ]
      : []),
    ...(version === "2.0.1" ? authorizedDetail(item) : []),
  ];
  return {
    extension,
    itemSequence: item.sequence,
    ...(of.note === undefined ? {} : { noteNumber: [1] }),
    adjudication: [adjudicationOf(of, item)],
  };
}

function adjudicationOf(of: Case, item: CaseItem): Node {
  const extension = [
    ...(isCertified(item) ? [{ url: "number", valueString: of.authorizationNumber }] : []),
    ...(of.reason !== undefined && item.action === "A3"
      ? [{ url: "reasonCode", valueCodeableConcept: concept(codes.reason, of.reason) }]
      : []),
    { url: urls.reviewActionCode, valueCodeableConcept: concept(codes.action, item.action) },
  ];
  return { extension: [{ url: urls.reviewAction, extension }], category: concept(codes.adjudication, "submitted") };
}

function isCertified({ action }: CaseItem): boolean {
  return action === "A1" || action === "A2" || action === "A6";
}

/** 2.2.1, "Returning Authorized Items": what was authorized instead, pointing at the item that was asked. */
function addedItem(of: Case, item: CaseItem): Node | undefined {
  if (!item.authorized) return undefined;
  return {
    itemSequence: [item.sequence],
    productOrService: serviceOf(item),
    quantity: quantityOf(item.authorized),
    adjudication: [adjudicationOf(of, { ...item, action: "A1" })],
  };
}

/** 2.0.1: what was authorized instead, on the item itself. */
function authorizedDetail(item: CaseItem): readonly Node[] {
  if (!item.authorized) return [];
  const extension = [
    { url: "productOrServiceCode", valueCodeableConcept: serviceOf(item) },
    { url: "quantity", valueQuantity: quantityOf(item.authorized) },
  ];
  return [{ url: urls.authorizedDetail, extension }];
}

function serviceOf({ code, codeSystem }: CaseItem): Node {
  return { coding: [codeSystem === undefined ? { code } : { system: codeSystem, code }] };
}

function quantityOf({ quantity, unit }: NonNullable<CaseItem["authorized"]>): Node {
  return { value: quantity, system: codes.quantity, code: unit };
}

function errorOf({ reject, followUp, about }: Rejection, coverageAt: number): Node {
  // Where in the request the rejected part stands.
  const places: Readonly<Record<Rejection["about"], string>> = {
    member: `Bundle.entry[${coverageAt}].Coverage.subscriberId`,
    item: "Bundle.entry[0].Claim.item[0]",
    request: "Bundle.entry[0].Claim",
  };
  const extension = [
    { url: urls.errorPath, valueString: places[about] },
    { url: urls.followUp, valueCodeableConcept: concept(codes.followUp, followUp) },
  ];
  return { extension, code: concept(codes.reject, reject) };
}
