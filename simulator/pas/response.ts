import { createHash } from "node:crypto";
import type { Message } from "#simulator/core/ledger";
import type { RequestedDocument } from "#simulator/core/review";
import { nodeAt, type Node } from "#simulator/json";
import { claimResponseOf, type AnsweredCase } from "./claim-response.ts";
import { operationOutcome } from "./outcome.ts";
import { echoOf } from "./read-request.ts";
import type { FoundEntry, Request } from "./request.ts";
import { codes, concept, metaOf, profileUrls, testTag, urls } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

/**
 * The reply to a submission: one ClaimResponse first, then what it refers to,
 * echoing the request's identifiers and addresses. It is worded in the version
 * of the message it answers, unless another is asked for.
 */
export function responseBundle(answered: AnsweredCase, at: Date, version = echoOf(answered.message).version): Node {
  const { case: of, message } = answered;
  const isOpen = message.rejection === undefined && of.rejection === undefined;
  const wanted = isOpen
    ? of.requestedDocuments.map((each, index) => requestedDocument(each, { message, index, version }))
    : [];
  const wording = { version, profile: profileUrls.claimResponse, wanted: wanted.map(({ fullUrl }) => fullUrl) };
  const entries = [responseEntry(message, claimResponseOf(answered, wording)), ...wanted, ...echoOf(message).parties];
  return bundleOf(entries, { profile: profileUrls.response, identifier: identifierOf(message), at });
}

/**
 * The reply to an inquiry. 2.2.1: Parameters with one bundle for each case; 2.0.1:
 * one bundle of all. It never tells which documents are wanted.
 */
export function inquiryAnswer(
  found: readonly AnsweredCase[],
  { request, at }: { readonly request: Request; readonly at: Date },
): Node {
  const { version } = request;
  const wording = { version, profile: profileUrls.claimInquiryResponse, wanted: [], inquiredAt: at.toISOString() };
  const answers = found
    .filter(({ case: of }) => of.state !== "rejected")
    .map((answered) => ({
      message: answered.message,
      response: responseEntry(answered.message, claimResponseOf(answered, wording)),
    }));
  const bundle = (entries: readonly FoundEntry[], identifier: Node) =>
    bundleOf(entries, { profile: profileUrls.inquiryResponse, identifier, at });
  if (version === "2.0.1") {
    const parties = answers.flatMap(({ message }) => echoOf(message).parties);
    const entries = answers.length > 0 ? [...answers.map(({ response }) => response), ...parties] : [nothingFound];
    return bundle(entries, nodeAt(request.bundle, "identifier"));
  }
  return {
    resourceType: "Parameters",
    meta: { tag: [{ ...testTag }] },
    ...(answers.length === 0
      ? {}
      : {
          parameter: answers.map(({ message, response }) => ({
            name: "responseBundle",
            resource: bundle([response, ...echoOf(message).parties], identifierOf(message)),
          })),
        }),
  };
}

/** A 2.0.1 bundle must hold something. */
export const nothingFound: FoundEntry = {
  fullUrl: "urn:uuid:00000000-0000-8000-a000-00000000000f",
  resource: operationOutcome([{ code: "not-found", text: "Nothing here matches the inquiry." }], "information"),
};

function responseEntry(message: Message, resource: Node): FoundEntry {
  return { fullUrl: urnOf(`${message.identity}/response`), resource };
}

/** The payer's own name for its answer, as any sender names what it sends (PAS profile-pas-response-bundle). */
function identifierOf(message: Message): Node {
  return { system: "urn:ietf:rfc:3986", value: urnOf(`${message.identity}/answer`) };
}

function bundleOf(
  entries: readonly FoundEntry[],
  { profile, identifier, at }: { readonly profile: string; readonly identifier: Node; readonly at: Date },
): Node {
  const once = entries.filter(({ fullUrl }, index) => entries.findIndex((each) => each.fullUrl === fullUrl) === index);
  return {
    resourceType: "Bundle",
    meta: metaOf(profile),
    identifier,
    type: "collection",
    timestamp: at.toISOString(),
    entry: once.map(({ fullUrl, resource }) => ({ fullUrl, resource })),
  };
}

/** PAS profile-communicationrequest: one document the payer asks for, by X12 report type or by LOINC. */
function requestedDocument(
  { kind, loinc, sequence }: RequestedDocument,
  { message, index, version }: { readonly message: Message; readonly index: number; readonly version: PasVersion },
): FoundEntry {
  const line = sequence === undefined ? [] : [{ url: urls.serviceLine, valuePositiveInt: sequence }];
  const onPayload = version === "2.0.1" && line.length > 0 ? { extension: line } : {};
  return {
    fullUrl: urnOf(`${message.identity}/wanted/${index}`),
    resource: {
      resourceType: "CommunicationRequest",
      meta: metaOf(profileUrls.communicationRequest),
      ...(version === "2.2.1" && line.length > 0 ? { extension: line } : {}),
      identifier: [{ system: "urn:payer:attachment-control-number", value: `ACN-${message.identity}-${index + 1}` }],
      status: "active",
      ...(kind === undefined ? {} : { category: [concept(codes.reportType, kind)] }),
      ...(loinc === undefined ? {} : { payload: [{ ...onPayload, contentString: loinc }] }),
      requester: echoOf(message).insurer,
      sender: echoOf(message).requestor,
    },
  };
}

function urnOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return `urn:uuid:${uuid}`;
}
