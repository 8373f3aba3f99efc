import { codeAt, extensionAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { broken, isDay, type Problem, type Request, type Rule } from "./request.ts";
import { codes, locationSystems, modifierSystems, serviceSystems, urls } from "./vocabulary.ts";

type ItemInClaim = { readonly item: Node; readonly claim: Node };

const requestTypes = ["AR", "HS", "IN", "SC"];

/** PAS profile-claim, Claim.item. */
const itemRules: readonly Rule<ItemInClaim>[] = [
  [
    ".extension",
    "needs serviceItemRequestType AR, HS, IN or SC",
    "required",
    ({ item }) => requestTypes.includes(extended(item, urls.requestType, codes.requestType) ?? ""),
    "2.2.1",
  ],
  [".extension", "needs certificationType", "required", ({ item }) => certificationOf(item) !== undefined, "2.2.1"],
  [
    ".category",
    "needs an X12 1365 service type",
    "required",
    ({ item }) => codeAt(item, "category", codes.serviceType) !== undefined,
  ],
  [".productOrService", "needs a code of a known system", "code-invalid", ({ item }) => serviceCodeIsKnown(item)],
  [
    ".modifier",
    "must be of CPT or HCPCS",
    "code-invalid",
    ({ item }) =>
      nodesAt(item, "modifier").every((each) =>
        nodesAt(each, "coding").some(({ system }) => modifierSystems.includes(String(system))),
      ),
  ],
  [
    ".locationCodeableConcept",
    "needs a place of service",
    "required",
    ({ item }) => isCodedIn(item, "locationCodeableConcept", locationSystems),
    "2.2.1",
  ],
  [".serviced", "must be full dates", "value", ({ item }) => datesAreFull(item)],
  [
    ".quantity",
    "needs a value over 0",
    "value",
    ({ item }) => !("quantity" in item) || isAmount(nodeAt(item, "quantity")),
  ],
  [
    ".quantity",
    "has a code of another system than X12 673",
    "code-invalid",
    ({ item }) => unitIsKnown(nodeAt(item, "quantity")),
  ],
  [
    ".diagnosisSequence",
    "names a diagnosis that is not there",
    "not-found",
    (inClaim) => pointsInto(inClaim, "diagnosisSequence", "diagnosis"),
  ],
  [
    ".careTeamSequence",
    "names a care team member that is not there",
    "not-found",
    (inClaim) => pointsInto(inClaim, "careTeamSequence", "careTeam"),
  ],
  [
    ".informationSequence",
    "names supporting information that is not there",
    "not-found",
    (inClaim) => pointsInto(inClaim, "informationSequence", "supportingInfo"),
  ],
];

const someItem: Rule<readonly Node[]> = ["", "must not be empty", "required", (items) => items.length > 0];

/** What is wrong with the items of a request. */
export function itemsProblems({ claim, version }: Request): readonly Problem[] {
  const items = nodesAt(claim, "item");
  return [
    ...broken([someItem], items, { under: "Claim.item", version }),
    ...items.flatMap((item, index) => broken(itemRules, { item, claim }, { under: `Claim.item[${index}]`, version })),
  ];
}

/** X12 1322 of an item, or of a whole Claim: 3 takes it back. */
export function certificationOf(node: Node): string | undefined {
  return extended(node, urls.certificationType, codes.certification);
}

/** The service has a code of a system PAS names; `not-applicable` is one. */
export function serviceCodeIsKnown(item: Node): boolean {
  return isCodedIn(item, "productOrService", serviceSystems);
}

function isCodedIn(node: Node, name: string, systems: readonly string[]): boolean {
  return systems.some((system) => (codeAt(node, name, system) ?? "") !== "");
}

function extended(node: Node, url: string, system: string): string | undefined {
  return codeAt(extensionAt(node, url) ?? {}, "valueCodeableConcept", system);
}

function isAmount(quantity: Node): boolean {
  return (numberAt(quantity, "value") ?? 0) > 0;
}

function unitIsKnown(quantity: Node): boolean {
  return textAt(quantity, "code") === undefined || textAt(quantity, "system") === codes.quantity;
}

function datesAreFull(item: Node): boolean {
  const period = nodeAt(item, "servicedPeriod");
  const day = !("servicedDate" in item) || isDay(textAt(item, "servicedDate"));
  return day && (!("servicedPeriod" in item) || (isDay(textAt(period, "start")) && isDay(textAt(period, "end"))));
}

function pointsInto({ item, claim }: ItemInClaim, from: string, into: string): boolean {
  const named = item[from];
  if (named === undefined) return true;
  const known = new Set(nodesAt(claim, into).map(({ sequence }) => sequence));
  return Array.isArray(named) && named.every((each) => known.has(each));
}
