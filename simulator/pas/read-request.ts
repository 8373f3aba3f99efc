import { createHash } from "node:crypto";
import type { Inquiry, Message } from "#simulator/core/ledger";
import type { Attachment, Item, Review, SentMessage } from "#simulator/core/review";
import { codeAt, extensionAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { attachmentsOf, bytesOf, categoryOf } from "./document-rules.ts";
import { certificationOf } from "./item-rules.ts";
import { memberIdOf } from "./party-rules.ts";
import { referencesIn, type FoundEntry, type Request } from "./request.ts";
import { rowsOf, type Row } from "./row-rules.ts";
import { npiSystem, urls } from "./vocabulary.ts";
import { basePaths, type PasVersion } from "./version.ts";

/** The name of this wire to the payer. */
export const faceName = "pas";

/** What a PAS answer repeats of the request it answers, and what the next update is held against. */
export type Echo = {
  readonly version: PasVersion;
  readonly trace: Node;
  readonly claimUrl: string;
  readonly claimType: Node;
  readonly patient: Node;
  readonly insurer: Node;
  readonly requestor: Node;
  /** The people and organizations an answer refers to, under the addresses they came with. */
  readonly parties: readonly FoundEntry[];
  /** The entry of the Coverage, which has the member id. */
  readonly coverageAt: number;
  /** Identifiers a subscription may ask for the sender's cases by. */
  readonly senders: readonly string[];
  readonly item: readonly Row[];
  readonly supportingInfo: readonly Row[];
};

/** What this wire kept of a message. */
export function echoOf({ echo }: Message): Echo {
  // Safe because this wire wrote it.
  return echo as Echo;
}

/** A valid submission as the payer reads it. */
export function reviewOf(request: Request): Review {
  const { claim } = request;
  const rows = rowsOf(request, "item");
  const supporting = nodesAt(claim, "supportingInfo").filter(
    (_, index) => rowsOf(request, "supportingInfo")[index]?.isCancelled !== true,
  );
  return {
    memberId: memberIdOf(request),
    requesterNpi: identifiersOf(request).find(({ system }) => system === npiSystem)?.value,
    diagnoses: nodesAt(claim, "diagnosis").flatMap((each) => codeAt(each, "diagnosisCodeableConcept") ?? []),
    items: nodesAt(claim, "item").map((item, index) => itemOf(item, rows[index]?.isCancelled === true)),
    attachments: supporting.flatMap((row) => attachmentsIn(request, row)),
    notes: supporting
      .filter((row) => categoryOf(row) === "freeFormMessage")
      .flatMap((row) => textAt(row, "valueString") ?? []),
    continues: continuedBy(request),
  };
}

/** A renewal or an extension names what it goes on from on the Claim (2.2.1) or on its items. */
function continuedBy({ claim }: Request): readonly string[] | undefined {
  const items = nodesAt(claim, "item");
  if (!items.some((item) => ["4", "R"].includes(certificationOf(item) ?? ""))) return undefined;
  const numbers = [claim, ...items].flatMap(
    (node) => textAt(extensionAt(node, urls.authorization) ?? {}, "valueString") ?? [],
  );
  return [...new Set(numbers)];
}

/** Who sent it under which names, and what an answer must repeat. */
export function sentOf(request: Request, sha256: string): SentMessage {
  const { bundle, claim, version } = request;
  const identifier = nodeAt(bundle, "identifier");
  const trace = nodesAt(claim, "identifier")[0] ?? {};
  const echo: Echo = {
    version,
    trace,
    claimUrl: request.claimUrl,
    claimType: nodeAt(claim, "type"),
    patient: nodeAt(claim, "patient"),
    insurer: nodeAt(claim, "insurer"),
    requestor: nodeAt(claim, "provider"),
    parties: partiesOf(request),
    coverageAt: request.resources.findIndex(({ resource }) => resource["resourceType"] === "Coverage"),
    senders: sendersOf(request),
    item: rowsOf(request, "item"),
    supportingInfo: rowsOf(request, "supportingInfo"),
  };
  return {
    face: faceName,
    method: "POST",
    path: `${basePaths[version]}/Claim/$submit`,
    identity: textAt(identifier, "value") ?? "",
    trace: textAt(trace, "value"),
    sha256,
    echo,
  };
}

/** A valid inquiry as the ledger counts it. */
export function inquiryOf(request: Request, sha256: string): Inquiry {
  const { identity, trace } = sentOf(request, sha256);
  const path = `${basePaths[request.version]}/Claim/$inquire`;
  return {
    face: faceName,
    method: "POST",
    path,
    trace,
    sha256,
    identity: identity ?? "",
    memberId: memberIdOf(request),
  };
}

/** The payer's numbers by which an inquiry's example asks for a case; undefined where it asks for every one. */
export function requestedNumbers({ claim }: Request): readonly string[] | undefined {
  const numbers = nodesAt(claim, "item").flatMap((item) =>
    [urls.reference, urls.authorization].flatMap((url) => textAt(extensionAt(item, url) ?? {}, "valueString") ?? []),
  );
  return numbers.length > 0 ? numbers : undefined;
}

/** The Claim's patient, insurer and provider with all that they refer to. */
function partiesOf({ claim, claimUrl, resolve }: Request): readonly FoundEntry[] {
  const parties: FoundEntry[] = [];
  const open = ["patient", "insurer", "provider"].map((name) => ({ reference: nodeAt(claim, name), from: claimUrl }));
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const found = resolve(next.reference, undefined, next.from);
    if (!found || parties.includes(found)) continue;
    parties.push(found);
    open.push(...referencesIn(found.resource).map((reference) => ({ reference, from: found.fullUrl })));
  }
  return parties;
}

/** The requester's identifiers, its organization's where it is a role, and the sender's own. */
function sendersOf(request: Request): readonly string[] {
  const transmission = extensionAt(request.claim, urls.senders) ?? {};
  const sender = textAt(extensionAt(transmission, "interchangeSenderID") ?? {}, "valueString");
  const values = identifiersOf(request).map(({ value }) => value);
  return [...new Set([...values, ...(sender === undefined ? [] : [sender])])];
}

function identifiersOf({
  claim,
  claimUrl,
  resolve,
}: Request): readonly { readonly system: string | undefined; readonly value: string }[] {
  const provider = resolve(nodeAt(claim, "provider"), undefined, claimUrl) ?? { fullUrl: "", resource: {} };
  const behind = ["practitioner", "organization"].flatMap(
    (name) => resolve(nodeAt(provider.resource, name), undefined, provider.fullUrl) ?? [],
  );
  return [provider, ...behind].flatMap(({ resource }) =>
    nodesAt(resource, "identifier").flatMap((each) => {
      const value = textAt(each, "value");
      return value === undefined ? [] : [{ system: textAt(each, "system"), value }];
    }),
  );
}

function attachmentsIn({ resolve }: Request, row: Node): readonly Attachment[] {
  const document = resolve(nodeAt(row, "valueReference"), ["DocumentReference"])?.resource ?? {};
  return attachmentsOf(document).flatMap((attachment) => {
    const bytes = bytesOf(attachment);
    if (!bytes) return [];
    return {
      sha256: createHash("sha256").update(bytes).digest("hex"),
      contentType: textAt(attachment, "contentType"),
      title: textAt(attachment, "title"),
      bytes: bytes.length,
    };
  });
}

function itemOf(item: Node, cancelled: boolean): Item {
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
    cancelled,
  };
}
