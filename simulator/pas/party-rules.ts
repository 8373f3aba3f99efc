import { codeAt, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { broken, isDay, isFilled, type Problem, type Request, type Rule } from "./request.ts";
import { codes, npiSystem } from "./vocabulary.ts";

type Party = { readonly it: Node; readonly at: string; readonly request: Request };

/** A member id as the simulated payer issues them. */
const memberIdPattern = /^[A-Za-z0-9-]{2,30}$/;
const genders = ["female", "male", "other", "unknown"];

/** PAS profiles of the people and organizations in a bundle, by resource type. */
const rulesOf: Readonly<Record<string, readonly Rule<Party>[]>> = {
  Coverage: [
    [".status", "must be active", "value", ({ it }) => it["status"] === "active"],
    [
      ".subscriberId",
      "needs a member id of 2 to 30 letters, digits or hyphens",
      "required",
      ({ it, request }) => memberIdPattern.test(memberIdIn(it, request) ?? ""),
    ],
    [
      ".identifier",
      "needs the member number, typed MB",
      "required",
      ({ it }) => memberNumberOf(it) !== undefined,
      "2.2.1",
    ],
    [
      ".relationship",
      "needs an X12 1069 code",
      "required",
      ({ it }) => codeAt(it, "relationship", codes.relationship) !== undefined,
      "2.2.1",
    ],
    [
      ".beneficiary",
      "must be the Claim's patient",
      "invalid",
      (party) => isOfOtherClaim(party) || isNamed(party, nodeAt(party.it, "beneficiary"), "patient"),
    ],
    [
      ".payor",
      "must be an organization in the bundle",
      "invalid",
      ({ it, at, request }) => request.resolve(nodesAt(it, "payor")[0] ?? {}, ["Organization"], at) !== undefined,
    ],
    [
      ".subscriber",
      "must be in the bundle where the patient is a dependent",
      "required",
      ({ it, at, request }) =>
        (codeAt(it, "relationship", codes.relationship) ?? "18") === "18" ||
        request.resolve(nodeAt(it, "subscriber"), ["Patient"], at) !== undefined,
    ],
  ],
  Patient: [
    [
      ".name",
      "needs a family and a given name",
      "required",
      ({ it }) => nodesAt(it, "name").some((name) => isFilled(name, ["family"]) && Array.isArray(name["given"])),
    ],
    [
      ".identifier",
      "needs a system and a value",
      "required",
      ({ it }) => nodesAt(it, "identifier").some((each) => isFilled(each, ["system", "value"])),
    ],
    [".gender", "must be a FHIR gender", "required", ({ it }) => genders.includes(textAt(it, "gender") ?? "")],
    [".birthDate", "must be a full date", "value", ({ it }) => !("birthDate" in it) || isDay(textAt(it, "birthDate"))],
  ],
  Organization: [
    [".active", "must be true", "required", ({ it }) => it["active"] === true],
    [".name", "must be there", "required", ({ it }) => isFilled(it, ["name"])],
  ],
  PractitionerRole: [
    [
      ".telecom",
      "or .endpoint must be there: how to reach them (US Core pd-1)",
      "required",
      ({ it }) => nodesAt(it, "telecom").length > 0 || nodesAt(it, "endpoint").length > 0,
      "2.2.1",
    ],
    [
      ".practitioner",
      "must be a Practitioner of the bundle",
      "not-found",
      ({ it, at, request }) => request.resolve(nodeAt(it, "practitioner"), ["Practitioner"], at) !== undefined,
      "2.2.1",
    ],
  ],
  Practitioner: [
    [
      ".identifier",
      "needs a system and a value",
      "required",
      ({ it }) => nodesAt(it, "identifier").some((each) => isFilled(each, ["system", "value"])),
      "2.2.1",
    ],
    [
      ".name",
      "needs a family name",
      "required",
      ({ it }) => nodesAt(it, "name").some((name) => isFilled(name, ["family"])),
    ],
  ],
};

/** US Core, whoever it is. */
const everyRules: readonly Rule<Party>[] = [
  [
    ".telecom",
    "needs a system and a value each, or the reason why there is none",
    "required",
    ({ it }) =>
      nodesAt(it, "telecom").every(
        (each) => isFilled(each, ["system"]) && (isFilled(each, ["value"]) || isDataAbsent(nodeAt(each, "_value"))),
      ),
  ],
  [
    ".identifier",
    "has an NPI that is none: ten digits, the last of which checks the others",
    "value",
    ({ it }) =>
      nodesAt(it, "identifier").every((each) => each["system"] !== npiSystem || isNpi(textAt(each, "value") ?? "")),
    "2.2.1",
  ],
];

/** What is wrong with the people and organizations of a bundle. */
export function partyProblems(request: Request): readonly Problem[] {
  return request.resources.flatMap(({ fullUrl, resource }, index) => {
    const rules = rulesOf[textAt(resource, "resourceType") ?? ""];
    const party = { it: resource, at: fullUrl, request };
    const place = { under: `Bundle.entry[${index}].resource`, version: request.version };
    return rules ? broken([...rules, ...everyRules], party, place) : [];
  });
}

/** FHIR's extension "data-absent-reason", which stands in for a value that has to be there. */
function isDataAbsent(primitive: Node): boolean {
  return nodesAt(primitive, "extension").some(
    (each) => textAt(each, "url") === dataAbsentReason && isFilled(each, ["valueCode"]),
  );
}

const dataAbsentReason = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";

/** The check digit of an NPI is Luhn's over 80840 and the number. */
function isNpi(number: string): boolean {
  if (!/^\d{10}$/.test(number)) return false;
  const digits = [...`80840${number}`].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const counted = index % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

/** The member id of a request: on the Coverage that its Claim names. */
export function memberIdOf(request: Request): string {
  const reference = nodeAt(nodesAt(request.claim, "insurance")[0] ?? {}, "coverage");
  const coverage = request.resolve(reference, ["Coverage"])?.resource ?? {};
  return memberIdIn(coverage, request) ?? "";
}

/** In 2.0.1 a Coverage may be without; the member is then known by the patient's identifier. */
function memberIdIn(coverage: Node, { claim, resolve, version }: Request): string | undefined {
  const patient = resolve(nodeAt(claim, "patient"), ["Patient"])?.resource ?? {};
  const byPatient = memberNumberOf(patient) ?? nodesAt(patient, "identifier")[0];
  const ofCoverage = textAt(coverage, "subscriberId") ?? textAt(memberNumberOf(coverage) ?? {}, "value");
  return ofCoverage ?? (version === "2.0.1" ? textAt(byPatient ?? {}, "value") : undefined);
}

function memberNumberOf(node: Node): Node | undefined {
  return nodesAt(node, "identifier").find((each) => codeAt(each, "type", codes.memberIdType) === "MB");
}

/** The version before an update may have had another coverage. */
function isOfOtherClaim({ at, request }: Party): boolean {
  return !nodesAt(request.claim, "insurance").some(
    (insurance) => request.resolve(nodeAt(insurance, "coverage"), ["Coverage"])?.fullUrl === at,
  );
}

/** A reference of the party means what the Claim's does. */
function isNamed({ at, request }: Party, reference: Node, name: "patient" | "insurer"): boolean {
  const found = request.resolve(reference, undefined, at);
  return found !== undefined && found === request.resolve(nodeAt(request.claim, name));
}
