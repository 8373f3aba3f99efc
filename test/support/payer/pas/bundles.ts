import { example } from "./example.ts";

export type Json = Record<string, unknown>;

export type Names = {
  readonly memberId?: string;
  /** Bundle.identifier and the Claim's trace number; each bundle needs its own. */
  readonly name?: string;
  readonly version?: "2.2.1" | "2.0.1";
};

let count = 0;

/** A first request of two items, made from an official example: no connector had a hand in it. */
export function aFirstBundle({ memberId = "M1", name = `N${(count += 1)}`, version = "2.2.1" }: Names = {}): Json {
  // Safe because an official example is a Bundle.
  const bundle = structuredClone(example(`${version}/Bundle-HomecareAuthorizationBundleExample`)) as Json;
  Object.assign(resourceIn(bundle, "Coverage"), { subscriberId: memberId });
  return named(bundle, name);
}

/**
 * The next version of a request: the Claim anew, related to the one before, which
 * comes along; `change` edits the new one. Flags of the version before are gone.
 */
export function anUpdateOf(
  before: Json,
  change: (claim: Json, bundle: Json) => unknown,
  name = `N${(count += 1)}`,
): Json {
  const bundle = structuredClone(before);
  const entries = entriesOf(bundle).filter(({ resource }, at) => at === 0 || resource["resourceType"] !== "Claim");
  const [first, ...others] = entries;
  if (!first) throw new Error("a bundle has a Claim");
  const claim = structuredClone(first.resource);
  for (const row of [...rowsOf(claim, "item"), ...rowsOf(claim, "supportingInfo")])
    row["extension"] = (row["extension"] as Json[] | undefined)?.filter(({ url }) => url !== infoChanged);
  claim["related"] = [{ claim: { reference: first.fullUrl }, relationship: relationship("prior") }];
  bundle["entry"] = [{ fullUrl: "", resource: claim }, ...others, first];
  named(bundle, name);
  change(claim, bundle);
  return bundle;
}

/** A text document in the request, as supporting information with this sequence. */
export function withDocument(claim: Json, bundle: Json, { text, sequence }: { text: string; sequence: number }): void {
  const fullUrl = `http://example.org/fhir/DocumentReference/D${(count += 1)}`;
  entriesOf(bundle).push({
    fullUrl,
    resource: {
      resourceType: "DocumentReference",
      id: fullUrl.split("/").at(-1),
      status: "current",
      type: { coding: [{ system: "http://loinc.org", code: "11506-3" }] },
      category: [{ coding: [{ system: "http://example.org", code: "clinical-note" }] }],
      subject: { reference: "Patient/SubscriberExample" },
      content: [{ attachment: { contentType: "text/plain", data: Buffer.from(text).toString("base64") } }],
    },
  });
  const information = { url: "reportTypeCode", valueCodeableConcept: { coding: [{ code: "PY" }] } };
  claim["supportingInfo"] = [
    ...rowsOf(claim, "supportingInfo"),
    {
      extension: [{ url: `${structure}/extension-documentInformation`, extension: [information] }],
      sequence,
      category: {
        coding: [
          { system: "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes", code: "additionalInformation" },
        ],
      },
      valueReference: { reference: fullUrl },
    },
  ];
}

const structure = "http://hl7.org/fhir/us/davinci-pas/StructureDefinition";
const infoChanged = `${structure}/extension-infoChanged`;
const certification = `${structure}/extension-certificationType`;

/** Flags an entry of a list as added or changed. */
export function flag(row: Json, how: string): void {
  row["extension"] = [...((row["extension"] as Json[] | undefined) ?? []), { url: infoChanged, valueCode: how }];
}

/** Marks an entry as no longer wanted, an item by its certification type as well. */
export function cancel(row: Json): void {
  row["modifierExtension"] = [{ url: `${structure}/modifierextension-infoCancelled`, valueBoolean: true }];
  if ("productOrService" in row) certify(row, "3");
}

/** Sets the certification type (X12 1322) of an item or a whole Claim. */
export function certify(node: Json, code: string): void {
  const others = ((node["extension"] as Json[] | undefined) ?? []).filter(({ url }) => url !== certification);
  const concept = { coding: [{ system: "https://codesystem.x12.org/005010/1322", code }] };
  node["extension"] = [...others, { url: certification, valueCodeableConcept: concept }];
}

/** The same update as 2.0.1 wants it: the version before is named by its trace number and stays at home. */
export function asOlderUpdate(update: Json): Json {
  const [first, ...others] = entriesOf(update);
  const before = others.find(({ resource }) => resource["resourceType"] === "Claim");
  if (!first || !before) throw new Error("an update brings the version before");
  const [identifier] = before.resource["identifier"] as Json[];
  first.resource["related"] = [{ claim: { identifier }, relationship: relationship("replaces") }];
  update["entry"] = [first, ...others.filter((each) => each !== before)];
  return update;
}

export function relationship(code: string): Json {
  return { coding: [{ system: "http://terminology.hl7.org/CodeSystem/ex-relatedclaimrelationship", code }] };
}

/** The entries of one of a Claim's lists, to be changed in place. */
export function rowsOf(claim: Json, name: "item" | "supportingInfo"): Json[] {
  return (claim[name] as Json[] | undefined) ?? [];
}

export function rowOf(claim: Json, name: "item" | "supportingInfo", at: number): Json {
  const row = rowsOf(claim, name)[at];
  if (!row) throw new Error(`the Claim has ${name} ${at}`);
  return row;
}

/** The first resource of a type, to be changed in place. */
export function resourceIn(bundle: Json, type: string): Json {
  const found = entriesOf(bundle).find(({ resource }) => resource["resourceType"] === type);
  if (!found) throw new Error(`the bundle has a ${type}`);
  return found.resource;
}

export function entriesOf(bundle: Json): { fullUrl: string; resource: Json }[] {
  return bundle["entry"] as { fullUrl: string; resource: Json }[];
}

function named(bundle: Json, name: string): Json {
  bundle["identifier"] = { system: "http://example.org/SUBMITTER_TRANSACTION_IDENTIFIER", value: `B-${name}` };
  const [first] = entriesOf(bundle);
  if (!first) throw new Error("a bundle has a Claim");
  first.fullUrl = `http://example.org/fhir/Claim/${name}`;
  const identifier = [{ system: "http://example.org/PATIENT_EVENT_TRACE_NUMBER", value: name }];
  Object.assign(first.resource, { id: name, identifier });
  return bundle;
}
