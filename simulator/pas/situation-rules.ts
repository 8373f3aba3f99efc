import { codeAt, extensionAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { broken, isDay, isFilled, type Problem, type Request, type Rule } from "./request.ts";
import { codes, serviceSystems, urls } from "./vocabulary.ts";

/** An extension that may be absent, and what holds of it if it is there. */
function isAbsentOr(node: Node, url: string, isMet: (extension: Node) => boolean): boolean {
  const found = extensionAt(node, url);
  return found === undefined || isMet(found);
}

/** What a Claim may say of the patient's situation. */
const situationRules: readonly Rule<Request>[] = [
  [".accident", "needs a full date", "value", ({ claim }) => !("accident" in claim) || accidentIsDated(claim)],
  [
    ".accident.type",
    "has a code of another system than X12 1362",
    "code-invalid",
    ({ claim }) => isAbsentOrCoded(nodeAt(claim, "accident"), "type", codes.accident),
  ],
  [
    ".extension:conditionCode",
    "needs a category (X12 1136), an indicator and codes (X12 1321)",
    "required",
    ({ claim }) =>
      nodesAt(claim, "extension")
        .filter((each) => textAt(each, "url") === urls.condition)
        .every(conditionIsComplete),
  ],
  [
    ".extension:homeHealthCareInformation",
    "needs a prognosis (X12 923) and a full date",
    "required",
    ({ claim }) =>
      isAbsentOr(
        claim,
        urls.homeHealth,
        (each) =>
          codeAt(extensionAt(each, "prognosis") ?? {}, "valueCodeableConcept", codes.prognosis) !== undefined &&
          isDay(textAt(extensionAt(each, "date") ?? {}, "valueDate")),
      ),
  ],
  [
    ".extension:encounter",
    "must be an Encounter of the bundle",
    "not-found",
    ({ claim, resolve }) =>
      isAbsentOr(claim, urls.encounter, (each) => resolve(nodeAt(each, "valueReference"), ["Encounter"]) !== undefined),
  ],
  [
    ".extension:authorizationNumber",
    "must not be empty",
    "required",
    ({ claim }) => isAbsentOr(claim, urls.authorization, (each) => isFilled(each, ["valueString"])),
  ],
];

type ItemInRequest = { readonly item: Node; readonly request: Request };

const orderTypes = ["ServiceRequest", "DeviceRequest", "MedicationRequest", "NutritionOrder"];

/** What an item may say beyond its service, place, dates and quantity. */
const itemRules: readonly Rule<ItemInRequest>[] = [
  [
    ".productOrService",
    "has an NDC without the eleven digits of one",
    "value",
    ({ item }) => ndcIsWhole(codeAt(item, "productOrService", codes.ndc)),
  ],
  [
    ".extension:productOrServiceCodeEnd",
    "needs a code of a known system",
    "code-invalid",
    ({ item }) =>
      isAbsentOr(item, urls.codeEnd, (each) =>
        serviceSystems.some((system) => codeAt(each, "valueCodeableConcept", system) !== undefined),
      ),
  ],
  [".unitPrice", "must be over 0, in US dollars", "value", ({ item }) => !("unitPrice" in item) || isPrice(item)],
  [
    ".bodySite",
    "must be a tooth in the universal numbering of the ADA",
    "code-invalid",
    ({ item }) => isAbsentOrCoded(item, "bodySite", codes.tooth) && toothIsKnown(codeAt(item, "bodySite", codes.tooth)),
  ],
  [
    ".extension:epsdtIndicator",
    "must be true or false",
    "value",
    ({ item }) => isAbsentOr(item, urls.epsdt, (each) => typeof each["valueBoolean"] === "boolean"),
  ],
  [
    ".extension:itemTraceNumber",
    "needs a system and a value",
    "required",
    ({ item }) =>
      isAbsentOr(item, urls.itemTrace, (each) => isFilled(nodeAt(each, "valueIdentifier"), ["system", "value"])),
  ],
  [
    ".extension:authorizationNumber",
    "must not be empty",
    "required",
    ({ item }) => isAbsentOr(item, urls.authorization, (each) => isFilled(each, ["valueString"])),
  ],
  [
    ".extension:nursingHomeLevelOfCare",
    "needs a code of X12 1337",
    "code-invalid",
    ({ item }) => isAbsentOr(item, urls.levelOfCare, (each) => isCoded(each, codes.levelOfCare)),
  ],
  [
    ".extension:nursingHomeResidentialStatus",
    "needs a code of X12 1345",
    "code-invalid",
    ({ item }) => isAbsentOr(item, urls.residentialStatus, (each) => isCoded(each, codes.residentialStatus)),
  ],
  [
    ".extension:revenueUnitRateLimit",
    "must be over 0",
    "value",
    ({ item }) => isAbsentOr(item, urls.rateLimit, (each) => (numberAt(each, "valueDecimal") ?? 0) > 0),
  ],
  [
    ".extension:requestedService",
    "must be an order of the bundle",
    "not-found",
    ({ item, request }) =>
      isAbsentOr(
        item,
        urls.requestedService,
        (each) => request.resolve(nodeAt(each, "valueReference"), orderTypes) !== undefined,
      ),
  ],
];

const isOrder: Rule<Node> = [".intent", "must be order", "value", (it) => it["intent"] === "order"];
const hasSubject: Rule<Node> = [
  ".subject",
  "must be there",
  "required",
  (it) => isFilled(nodeAt(it, "subject"), ["reference"]),
];

/** PAS profiles of the stay, the place and the orders, by the type of the resource. */
const rulesOf: Readonly<Record<string, readonly Rule<Node>[]>> = {
  Encounter: [
    hasSubject,
    [".status", "must be planned", "value", (it) => it["status"] === "planned"],
    [".class", "needs a code", "required", (it) => isFilled(nodeAt(it, "class"), ["code"])],
    [
      ".type",
      "needs a priority of the admission or visit (NUBC)",
      "required",
      (it) => nodesAt(it, "type").some((each) => codeAt({ type: each }, "type") !== undefined),
    ],
  ],
  Location: [
    [".name", "must be there", "required", (it) => isFilled(it, ["name"])],
    [".address", "must be there", "required", (it) => Object.keys(nodeAt(it, "address")).length > 0],
  ],
  ServiceRequest: [isOrder, hasSubject],
  DeviceRequest: [
    isOrder,
    hasSubject,
    [
      ".code",
      "needs a code of a known system",
      "code-invalid",
      (it) => serviceSystems.some((system) => codeAt(it, "codeCodeableConcept", system) !== undefined),
    ],
  ],
  MedicationRequest: [
    isOrder,
    hasSubject,
    [
      ".medication",
      "must be a concept or a reference",
      "required",
      (it) => "medicationCodeableConcept" in it || "medicationReference" in it,
    ],
  ],
  NutritionOrder: [
    isOrder,
    [".patient", "must be there", "required", (it) => isFilled(nodeAt(it, "patient"), ["reference"])],
    [".dateTime", "must be there", "required", (it) => isFilled(it, ["dateTime"])],
  ],
};

/** What is wrong with the situation, the details of the items, the stay, the place and the orders of a request. */
export function situationProblems(request: Request): readonly Problem[] {
  const { claim, resources, version } = request;
  return [
    ...broken(situationRules, request, { under: "Claim", version }),
    ...nodesAt(claim, "item").flatMap((item, index) =>
      broken(itemRules, { item, request }, { under: `Claim.item[${index}]`, version }),
    ),
    ...resources.flatMap(({ resource }, index) =>
      broken(rulesOf[textAt(resource, "resourceType") ?? ""] ?? [], resource, {
        under: `Bundle.entry[${index}].resource`,
        version,
      }),
    ),
  ];
}

function accidentIsDated(claim: Node): boolean {
  return isDay(textAt(nodeAt(claim, "accident"), "date"));
}

function conditionIsComplete(condition: Node): boolean {
  const named = nodesAt(condition, "extension").filter((each) => textAt(each, "url") === "code");
  return (
    codeAt(extensionAt(condition, "category") ?? {}, "valueCodeableConcept", codes.conditionCategory) !== undefined &&
    typeof extensionAt(condition, "indicator")?.["valueBoolean"] === "boolean" &&
    named.length > 0 &&
    named.every((each) => isCoded(each, codes.condition))
  );
}

function isCoded(extension: Node, system: string): boolean {
  return (codeAt(extension, "valueCodeableConcept", system) ?? "") !== "";
}

function isAbsentOrCoded(node: Node, name: string, system: string): boolean {
  return !(name in node) || codeAt(node, name, system) !== undefined;
}

function ndcIsWhole(code: string | undefined): boolean {
  return code === undefined || /^(?:\d{11}|\d{5}-\d{4}-\d{2})$/.test(code);
}

function isPrice(item: Node): boolean {
  const price = nodeAt(item, "unitPrice");
  return (numberAt(price, "value") ?? 0) > 0 && price["currency"] === "USD";
}

/** Permanent teeth 1 to 32 and primary ones A to T; a supernumerary has 50 more, or an S after its letter. */
function toothIsKnown(code: string | undefined): boolean {
  if (code === undefined || /^[A-T]S?$/.test(code)) return true;
  const number = /^[1-9]\d?$/.test(code) ? Number(code) : 0;
  return (number >= 1 && number <= 32) || (number >= 51 && number <= 82);
}
