import type { Inquiry } from "#simulator/core/ledger";
import type { Item, Review, Sent } from "#simulator/core/review";
import { codeAt, extensionAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { memberIdOf } from "./party-rules.ts";
import type { Found, Request } from "./request.ts";
import { npiSystem, urls } from "./vocabulary.ts";

/** What a PAS answer repeats of the request it answers. */
export type Echo = {
  readonly bundleSystem: string;
  readonly trace: Node;
  readonly claimUrl: string;
  readonly claimType: Node;
  readonly patient: Found;
  readonly insurer: Found;
  readonly requestor: Found;
};

/** A valid submission as the payer reads it. */
export function reviewOf(request: Request): Review {
  const { claim } = request;
  return {
    memberId: memberIdOf(request),
    requesterNpi: npiOf(partyOf(request, "provider").resource),
    diagnoses: nodesAt(claim, "diagnosis").flatMap((each) => codeAt(each, "diagnosisCodeableConcept") ?? []),
    items: nodesAt(claim, "item").map(itemOf),
    attachments: [],
  };
}

/** Who sent it under which names, and what an answer must repeat. */
export function sentOf(request: Request, sha256: string): Sent {
  const { bundle, claim } = request;
  const identifier = nodeAt(bundle, "identifier");
  const trace = nodesAt(claim, "identifier")[0] ?? {};
  const echo: Echo = {
    bundleSystem: textAt(identifier, "system") ?? "",
    trace,
    claimUrl: request.claimUrl,
    claimType: nodeAt(claim, "type"),
    patient: partyOf(request, "patient"),
    insurer: partyOf(request, "insurer"),
    requestor: partyOf(request, "provider"),
  };
  return {
    face: "pas",
    method: "POST",
    path: "/fhir/Claim/$submit",
    identity: textAt(identifier, "value") ?? "",
    trace: textAt(trace, "value"),
    sha256,
    echo,
  };
}

/** A valid inquiry as the ledger counts it. */
export function inquiryOf(request: Request, sha256: string): Inquiry {
  const { identity, ...sent } = sentOf(request, sha256);
  const { face, method, trace } = sent;
  return {
    face,
    method,
    trace,
    sha256,
    path: "/fhir/Claim/$inquire",
    identity: identity ?? "",
    memberId: memberIdOf(request),
  };
}

/** Every number that an inquiry's example names a case by. */
export function inquiryNumbers({ claim }: Request): readonly (string | undefined)[] {
  return [
    ...nodesAt(claim, "identifier").map((identifier) => textAt(identifier, "value")),
    ...nodesAt(claim, "item").map((item) => textAt(extensionAt(item, urls.reference) ?? {}, "valueString")),
  ];
}

function partyOf({ claim, resolve }: Request, name: string): Found {
  return resolve(nodeAt(claim, name), ["Patient", "Organization", "PractitionerRole"]) ?? { fullUrl: "", resource: {} };
}

function npiOf(resource: Node): string | undefined {
  const identifier = nodesAt(resource, "identifier").find((each) => textAt(each, "system") === npiSystem);
  return identifier && textAt(identifier, "value");
}

function itemOf(item: Node): Item {
  const quantity = nodeAt(item, "quantity");
  const period = nodeAt(item, "servicedPeriod");
  const day = textAt(item, "servicedDate");
  const service = nodesAt(nodeAt(item, "productOrService"), "coding")[0] ?? {};
  return {
    sequence: numberAt(item, "sequence") ?? 0,
    code: textAt(service, "code") ?? "",
    codeSystem: textAt(service, "system"),
    modifiers: nodesAt(item, "modifier").flatMap((each) => textAt(nodesAt(each, "coding")[0] ?? {}, "code") ?? []),
    quantity: numberAt(quantity, "value"),
    unit: textAt(quantity, "code") ?? textAt(quantity, "unit"),
    from: day ?? textAt(period, "start"),
    to: day ?? textAt(period, "end"),
    cancelled: false,
  };
}
