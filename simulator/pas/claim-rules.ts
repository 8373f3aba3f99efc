import { categoryOf, documentProblems, reportTypeOf } from "./document-rules.ts";
import { itemsProblems, serviceCodeIsKnown } from "./item-rules.ts";
import { codeAt, extensionAt, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { partyProblems } from "./party-rules.ts";
import { situationProblems } from "./situation-rules.ts";
import { broken, isDay, isFilled, isInstant, type Problem, type Request, type Rule } from "./request.ts";
import { codes, diagnosisSystems, supportingCategories, urls } from "./vocabulary.ts";

/** A row of one of the Claim's lists, with the request it is of. */
type Row = { readonly row: Node; readonly request: Request };

const claimTypes = ["institutional", "professional", "oral"];

/** PAS profile-claim-base, and the references a request cannot do without. */
const headRules: readonly Rule<Request>[] = [
  [".status", "must be active", "value", ({ claim }) => claim["status"] === "active"],
  [".use", "must be preauthorization", "value", ({ claim }) => claim["use"] === "preauthorization"],
  [
    ".type",
    "must be institutional, professional or oral",
    "code-invalid",
    ({ claim }) => claimTypes.includes(codeAt(claim, "type", codes.claimType) ?? ""),
    "2.2.1",
  ],
  [".type", "needs a claim type", "required", ({ claim }) => codeAt(claim, "type") !== undefined, "2.0.1"],
  [
    ".identifier",
    "must be one or two, with system and value",
    "required",
    ({ claim }) => isIdentified(nodesAt(claim, "identifier")),
  ],
  [
    ".created",
    "must be a dateTime",
    "required",
    ({ claim }) => isInstant(textAt(claim, "created")) || isDay(textAt(claim, "created")),
  ],
  [
    ".priority",
    "needs a process priority",
    "required",
    ({ claim }) => codeAt(claim, "priority", codes.priority) !== undefined,
  ],
  [
    ".extension",
    "has a level of service without its X12 1338 code",
    "code-invalid",
    ({ claim }) => levelIsCoded(extensionAt(claim, urls.levelOfService)),
  ],
  [
    ".patient",
    "must be a Patient of the bundle",
    "not-found",
    ({ claim, resolve }) => resolve(nodeAt(claim, "patient"), ["Patient"]) !== undefined,
  ],
  [
    ".insurer",
    "must be an Organization of the bundle",
    "not-found",
    ({ claim, resolve }) => resolve(nodeAt(claim, "insurer"), ["Organization"]) !== undefined,
  ],
  [
    ".provider",
    "must be an Organization or PractitionerRole of the bundle",
    "not-found",
    ({ claim, resolve }) => resolve(nodeAt(claim, "provider"), ["Organization", "PractitionerRole"]) !== undefined,
  ],
  [
    ".insurance",
    "must be there, with its sequence, and focal",
    "required",
    ({ claim }) =>
      nodesAt(claim, "insurance").length > 0 &&
      nodesAt(claim, "insurance").every((each) => each["focal"] === true && isSequence(each["sequence"])),
  ],
  [
    ".insurance.coverage",
    "must be a Coverage of the bundle",
    "not-found",
    ({ claim, resolve }) =>
      nodesAt(claim, "insurance").every((each) => resolve(nodeAt(each, "coverage"), ["Coverage"]) !== undefined),
  ],
];

const careTeamRules: readonly Rule<Row>[] = [
  [
    ".extension",
    "needs careTeamClaimScope",
    "required",
    ({ row }) => typeof extensionAt(row, urls.claimScope)?.["valueBoolean"] === "boolean",
  ],
  [
    ".provider",
    "must be in the bundle",
    "not-found",
    ({ row, request }) => request.resolve(nodeAt(row, "provider"), ["PractitionerRole", "Organization"]) !== undefined,
  ],
];

const supportingRules: readonly Rule<Row>[] = [
  [".category", "must be a PAS category", "code-invalid", ({ row }) => supportingCategories.includes(categoryOf(row))],
  [
    ".valueString",
    "must hold the message",
    "required",
    ({ row }) => categoryOf(row) !== "freeFormMessage" || isFilled(row, ["valueString"]),
  ],
  [".timing", "must be full dates", "required", ({ row }) => !isAboutDates(row) || isDated(row, "timing")],
  [
    ".timing",
    "must not be there with a message or a document",
    "structure",
    ({ row }) => isAboutDates(row) || !("timingDate" in row || "timingPeriod" in row),
  ],
  [
    ".value",
    "must not be there with dates",
    "structure",
    ({ row }) => !isAboutDates(row) || !Object.keys(row).some((name) => name.startsWith("value")),
  ],
  [
    ".valueReference",
    "must be in the bundle",
    "not-found",
    ({ row, request }) => !isDocument(row) || request.resolve(nodeAt(row, "valueReference")) !== undefined,
  ],
  [
    ".extension",
    "needs documentInformation with its report type",
    "required",
    ({ row }) => !isDocument(row) || reportTypeOf(row) !== undefined,
    "2.2.1",
  ],
];

/** Of each kind of dates there is one. */
const onceRules: readonly Rule<Request>[] = ["patientEvent", "admissionDates", "dischargeDates"].map((category) => [
  "",
  `must have ${category} at most once`,
  "structure",
  ({ claim }) => nodesAt(claim, "supportingInfo").filter((row) => categoryOf(row) === category).length <= 1,
]);

const diagnosisRules: readonly Rule<Request>[] = [
  [
    "",
    "must be at most 12: no more can travel",
    "business-rule",
    ({ claim }) => nodesAt(claim, "diagnosis").length <= 12,
  ],
  [
    ".diagnosisCodeableConcept",
    "must be ICD-10-CM",
    "code-invalid",
    ({ claim }) =>
      nodesAt(claim, "diagnosis").every((each) =>
        diagnosisSystems.some((system) => codeAt(each, "diagnosisCodeableConcept", system) !== undefined),
      ),
  ],
];

const diagnosisTypes = ["admitting", "principal", "patientreasonforvisit"];

const diagnosisRowRules: readonly Rule<Row>[] = [
  [
    ".type",
    "must be admitting, principal or patientreasonforvisit, and one",
    "code-invalid",
    ({ row }) => {
      const types = nodesAt(row, "type");
      const known = types.every((type) =>
        nodesAt(type, "coding").some(({ code }) => diagnosisTypes.includes(String(code))),
      );
      return types.length <= 1 && known;
    },
  ],
];

/** PAS profile-claim-inquiry, beside what every Claim needs. */
const inquiryHeadRules: readonly Rule<Request>[] = [
  ["Claim.identifier", "must be one", "structure", ({ claim }) => nodesAt(claim, "identifier").length === 1],
  ["Claim.diagnosis", "must be at most one", "structure", ({ claim }) => nodesAt(claim, "diagnosis").length <= 1],
];

const inquiryRules: readonly Rule<Request>[] = [
  ["", "must not be empty", "required", ({ claim }) => nodesAt(claim, "item").length > 0],
  [
    ".productOrService",
    "needs a code of a known system, or not-applicable",
    "code-invalid",
    ({ claim }) => nodesAt(claim, "item").every(serviceCodeIsKnown),
  ],
];

/** PAS profile-claim: what a request's Claim must and must not have. */
export function claimProblems(request: Request): readonly Problem[] {
  const under = (name: string) => ({ under: `Claim${name}`, version: request.version });
  return [
    ...broken(headRules, request, under("")),
    ...partyProblems(request),
    ...listProblems(request, "careTeam", careTeamRules),
    ...listProblems(request, "supportingInfo", supportingRules),
    ...broken(onceRules, request, under(".supportingInfo")),
    ...documentProblems(request),
    ...listProblems(request, "diagnosis", diagnosisRowRules),
    ...broken(diagnosisRules, request, under(".diagnosis")),
    ...listProblems(request, "item", []),
    ...itemsProblems(request),
    ...situationProblems(request),
  ];
}

/** PAS profile-claim-inquiry: requester, payer, one patient, and at least one item to ask about. */
export function inquiryProblems(request: Request): readonly Problem[] {
  const { version } = request;
  return [
    ...broken([oneClaim], request, { under: "Bundle.entry", version }),
    ...broken(inquiryHeadRules, request, { under: "", version }),
    ...broken(headRules, request, { under: "Claim", version }),
    ...partyProblems(request),
    ...listProblems(request, "careTeam", careTeamRules),
    ...listProblems(request, "item", []),
    ...broken(inquiryRules, request, { under: "Claim.item", version }),
  ];
}

const oneClaim: Rule<Request> = [
  "",
  "must hold one Claim",
  "structure",
  ({ resources }) => resources.filter(({ resource }) => resource["resourceType"] === "Claim").length === 1,
];

/** The rules of every row of a list, and that its sequences are positive and unique. */
function listProblems(request: Request, name: string, rules: readonly Rule<Row>[]): readonly Problem[] {
  const { claim, version } = request;
  const rows = nodesAt(claim, name);
  const sequences = rows.map(({ sequence }) => sequence);
  const unique: Rule<boolean> = [".sequence", "must be positive and unique", "invalid", (isUnique) => isUnique];
  const isCounted = sequences.every(isSequence) && new Set(sequences).size === sequences.length;
  return [
    ...broken([unique], isCounted, { under: `Claim.${name}`, version }),
    ...rows.flatMap((row, index) => broken(rules, { row, request }, { under: `Claim.${name}[${index}]`, version })),
  ];
}

function isSequence(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function isIdentified(identifiers: readonly Node[]): boolean {
  return (
    identifiers.length >= 1 &&
    identifiers.length <= 2 &&
    identifiers.every((each) => isFilled(each, ["system", "value"]))
  );
}

function levelIsCoded(level: Node | undefined): boolean {
  return level === undefined || codeAt(level, "valueCodeableConcept", codes.level) !== undefined;
}

function isAboutDates(row: Node): boolean {
  return /Event|Dates/.test(categoryOf(row));
}

function isDocument(row: Node): boolean {
  return categoryOf(row) === "additionalInformation";
}

function isDated(node: Node, name: string): boolean {
  const period = nodeAt(node, `${name}Period`);
  return isDay(textAt(node, `${name}Date`)) || (isDay(textAt(period, "start")) && isDay(textAt(period, "end")));
}
