import assert from "node:assert/strict";
import type { Bundle } from "fhir/r4";
import { expect, test } from "vitest";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { structuralProblems } from "#test/support/payer/pas/fhir";
import { bundleOf, inquiryAbout, updateOf, voidOf } from "#test/support/payer/pas/history";
import { anAttachment, fullReview } from "#test/support/payer/pas/reviews";
import { brokenRules, rules } from "./all.ts";
import { guide, type Kind, type Sample } from "./rule.ts";

/** The fullest review with lines and notes alone, so that the places below name what they name. */
const linesAndNotes = aReview({
  ...fullReview,
  procedures: fullReview.procedures
    .slice(0, 3)
    .map(({ code, quantity, quantityTypeCode, modifierCode1, fromDate }) => ({
      code,
      quantity,
      quantityTypeCode,
      modifierCode1,
      fromDate,
    })),
  dischargeDate: undefined,
  retrospectiveReason: undefined,
  emergencyReason: undefined,
});

/** A bundle that breaks no rule: of a case whose second revision drops, changes and adds something. */
function sample(kind: Kind, version: Sample["version"]): Sample {
  const first = aBuild({ settings: { version }, review: linesAndNotes, attachments: [anAttachment("one")] });
  const [one, two] = linesAndNotes.procedures;
  assert(one && two);
  const procedures = [{ ...one, quantity: 20 }, two, { code: "97112" }];
  const review = aReview({ ...linesAndNotes, procedures, providerNotes: [{ message: "New." }] });
  const update = updateOf(first, { review, attachments: [anAttachment("one"), anAttachment("two", 2)] });
  switch (kind) {
    case "first":
      return { kind, version, bundle: bundleOf(first) };
    case "update":
      return { kind, version, bundle: bundleOf(update), before: bundleOf(first) };
    case "cancel":
      return { kind, version, bundle: bundleOf(voidOf(update)), before: bundleOf(update) };
    case "inquiry":
      return { kind, version, bundle: inquiryAbout(first) };
  }
}

const versions = ["2.2.1", "2.0.1"] as const;

test.each(
  versions.flatMap((version) =>
    (["first", "update", "cancel", "inquiry"] as const).map((kind) => [version, kind] as const),
  ),
)("a good bundle breaks no rule: %s %s", (version, kind) => {
  const good = sample(kind, version);
  expect(brokenRules(good)).toEqual([]);
  expect(structuralProblems(good.bundle)).toEqual([]);
});

/** A change in place: `remove` or a new value, at a path that begins at the bundle, its Claim or its first resource of a type. */
type Break = readonly [rule: string, kind: Kind, version: Sample["version"], path: string, value: unknown];

const remove = Symbol("remove");

const wellFormed = "the bundle is a collection with an identifier and an instant";
const entries = "every entry is a resource under a urn:uuid of its own, and nothing else";
const led = "every reference leads to exactly one entry, and every entry is led to";
const profiled = "the resources say which profile they follow";
const covered = "every Coverage names the member, the relationship, the payer and the patient";
const person = "every Patient has a member id, a name and a gender";
const known = "every identifier of an Organization has a system";
const paper = "every document is current, typed, about the patient, and holds its own data";
const head = "the Claim is an active preauthorization of a known type and priority";
const people = "patient, payer, requester and coverage are there, each of its kind";
const team = "every member of the care team says whether it is the whole claim's, and at most 14 are";
const ill = "at most 12 diagnoses travel, each in ICD-10-CM, one of them principal";
const counted = "supporting information is counted, and each piece is what its category says";
const pwk = "a document is referred to, and described as X12 PWK does";
const bare = "a document is referred to, and nothing is said of it that 2.0.1 has no place for";
const services = "there are items, counted, each with everything a service needs";
const inquired = "an inquiry asks about services by code, or about any, and says nothing clinical";
const fresh = "a first request refers to no earlier one and changes nothing";
const related = "the Claim is new, and related as prior to the one before";
const earlier = "the Claim before is in the bundle as it was sent, and the one before that is not";
const named = "the Claim before is named by its trace number, for one Claim is all a bundle holds";
const kept = "every item and every piece of information ever sent keeps its sequence";
const marks = "what is added, changed or cancelled says so, and nothing else does";
const twice = "a cancelled item says so twice";
const stays = "what was cancelled stays cancelled";
const partly = "an update does not cancel the whole request";
const whole = "a cancellation marks the Claim and leaves the items as they were";
const each = "a cancellation cancels every item, for the Claim has no mark for it";

const stray = { fullUrl: "urn:uuid:00000000-0000-5000-8000-000000000000", resource: { resourceType: "Basic" } };
const concept = (system: string, code: string) => ({ coding: [{ system, code }] });
const mark = (name: string, value: object) => ({ url: `${guide}/extension-${name}`, ...value });
const whollyCancelled = mark("certificationType", {
  valueCodeableConcept: concept("https://codesystem.x12.org/005010/1322", "3"),
});
const anyService = concept("http://terminology.hl7.org/CodeSystem/data-absent-reason", "not-applicable");
const principal = concept("http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes", "principal");
const diagnosis = (sequence: number) => ({
  sequence,
  diagnosisCodeableConcept: concept("http://hl7.org/fhir/sid/icd-10-cm", "I10"),
});

const breaks: readonly Break[] = [
  [wellFormed, "first", "2.2.1", "Bundle/timestamp", remove],
  [wellFormed, "inquiry", "2.0.1", "Bundle/type", "batch"],
  [wellFormed, "update", "2.2.1", "Bundle/identifier/value", remove],
  [entries, "first", "2.0.1", "Bundle/entry/1/fullUrl", "Organization/1"],
  [entries, "first", "2.2.1", "Bundle/entry/1/request", { method: "POST", url: "Organization" }],
  [entries, "update", "2.2.1", "Bundle/entry/1/resource", remove],
  ["the Claim comes first", "first", "2.2.1", "Bundle/entry/0/resource", { resourceType: "Basic" }],
  [led, "first", "2.2.1", "Bundle/entry/1", remove],
  [led, "update", "2.2.1", "Bundle/entry/-", stray],
  [profiled, "update", "2.2.1", "Claim/meta/profile/0", `${guide}/profile-claim`],
  [profiled, "inquiry", "2.2.1", "Coverage/meta", remove],
  [covered, "first", "2.2.1", "Coverage/relationship", remove],
  [covered, "inquiry", "2.0.1", "Coverage/identifier", []],
  [person, "inquiry", "2.2.1", "Patient/gender", remove],
  ["every Organization is active and named", "first", "2.0.1", "Organization/name", remove],
  [known, "first", "2.0.1", "Organization/identifier", [{ value: "1" }]],
  [paper, "first", "2.2.1", "DocumentReference/content/0/attachment/data", "AAAA"],
  [paper, "first", "2.0.1", "DocumentReference/content/0/attachment/title", "Testperson, Robin.pdf"],
  [paper, "update", "2.2.1", "DocumentReference/content/0/attachment/url", "https://practice.test/1"],
  [paper, "first", "2.0.1", "DocumentReference/meta/profile/0", `${guide}/profile-documentreference`],
  [head, "cancel", "2.2.1", "Claim/status", "cancelled"],
  [head, "first", "2.2.1", "Claim/type", { text: "professional" }],
  ["the Claim has one trace number with its system", "first", "2.2.1", "Claim/identifier/0/system", remove],
  [people, "first", "2.2.1", "Claim/insurer/reference", "urn:uuid:elsewhere"],
  [people, "inquiry", "2.0.1", "Claim/insurance/0/focal", false],
  [team, "first", "2.2.1", "Claim/careTeam/0/extension", remove],
  [team, "first", "2.0.1", "Claim/careTeam/1/sequence", 1],
  [ill, "first", "2.2.1", "Claim/diagnosis", Array.from({ length: 13 }, (_, index) => diagnosis(index + 1))],
  [ill, "first", "2.2.1", "Claim/diagnosis/1/type", [principal]],
  [counted, "first", "2.2.1", "Claim/supportingInfo/1/valueString", "x".repeat(265)],
  [counted, "first", "2.0.1", "Claim/supportingInfo/0/timingPeriod", { start: "2026" }],
  [counted, "first", "2.2.1", "Claim/supportingInfo/4/valueReference", remove],
  [counted, "first", "2.2.1", "Claim/supportingInfo/1/sequence", 1],
  [pwk, "first", "2.2.1", "Claim/supportingInfo/4/extension", remove],
  [pwk, "first", "2.2.1", "Claim/supportingInfo/4/extension/0/extension/0", remove],
  [bare, "first", "2.0.1", "Claim/supportingInfo/4/extension", [mark("documentInformation", {})]],
  [services, "first", "2.2.1", "Claim/item/0/category", remove],
  [services, "first", "2.2.1", "Claim/item/0/extension/1", remove],
  [services, "first", "2.0.1", "Claim/item/0/locationCodeableConcept", remove],
  [services, "first", "2.2.1", "Claim/item/0/diagnosisSequence", [9]],
  [services, "update", "2.2.1", "Claim/item/0/productOrService", { text: "therapy" }],
  [inquired, "inquiry", "2.2.1", "Claim/item/0/productOrService", { text: "therapy" }],
  [inquired, "inquiry", "2.0.1", "Claim/item/0/productOrService", anyService],
  [inquired, "inquiry", "2.2.1", "Claim/diagnosis", [diagnosis(1)]],
  [fresh, "first", "2.2.1", "Claim/related", [{}]],
  [fresh, "first", "2.0.1", "Claim/item/0/extension/-", mark("infoChanged", { valueCode: "added" })],
  [related, "update", "2.2.1", "Claim/related/0/relationship", { text: "prior" }],
  [related, "cancel", "2.0.1", "Claim/related", remove],
  [earlier, "update", "2.2.1", "Claim/related/0/claim/reference", "urn:uuid:elsewhere"],
  [earlier, "cancel", "2.2.1", "Bundle/entry/-", { ...stray, resource: { resourceType: "Claim" } }],
  [named, "update", "2.0.1", "Claim/related/0/claim", { identifier: { value: "1" } }],
  [named, "cancel", "2.0.1", "Bundle/entry/-", { ...stray, resource: { resourceType: "Claim" } }],
  [kept, "update", "2.2.1", "Claim/item/0", remove],
  [kept, "update", "2.0.1", "Claim/item/0/modifier", []],
  [kept, "update", "2.2.1", "Claim/supportingInfo/1", remove],
  [marks, "update", "2.2.1", "Claim/item/0/extension/2", remove],
  [marks, "update", "2.0.1", "Claim/item/3/extension/3/valueCode", "changed"],
  [marks, "cancel", "2.2.1", "Claim/item/1/extension/-", mark("infoChanged", { valueCode: "changed" })],
  [twice, "update", "2.2.1", "Claim/item/2/modifierExtension", remove],
  [stays, "cancel", "2.2.1", "Claim/item/2/modifierExtension", remove],
  [partly, "update", "2.2.1", "Claim/extension/-", whollyCancelled],
  [whole, "cancel", "2.2.1", "Claim/extension", remove],
  [each, "cancel", "2.0.1", "Claim/item/0/modifierExtension", remove],
  [each, "cancel", "2.0.1", "Claim/extension/-", whollyCancelled],
];

test.each(breaks)("%s (%s, %s): found where %s is broken", (rule, kind, version, path, value) => {
  const { bundle, before } = sample(kind, version);
  const spoilt = spoil(bundle, path, value);
  expect(brokenRules({ bundle: spoilt, before, kind, version })).toContain(rule);
});

test("every rule has a bundle that breaks it", () => {
  expect(rules.map(({ name }) => name).filter((name) => !breaks.some(([rule]) => rule === name))).toEqual([]);
});

test.each([
  ["an element FHIR does not have", "Claim/item/0/sequense", 1],
  ["an element FHIR demands is missing", "Claim/insurance", remove],
  ["a date that is none", "Claim/created", "tomorrow"],
  ["a text where a number belongs", "Claim/item/0/sequence", "1"],
  ["a resource FHIR does not have", "Patient/resourceType", "Person2"],
])("the structure is checked: %s", (_, path, value) => {
  expect(structuralProblems(spoil(sample("update", "2.2.1").bundle, path, value))).not.toEqual([]);
});

type Json = Record<string, unknown>;

/** A copy of the bundle, changed at one place. */
function spoil(bundle: Bundle, path: string, value: unknown): Bundle {
  const copy = structuredClone(bundle);
  const [start = "", ...steps] = path.split("/");
  const last = steps.pop() ?? "";
  const from: unknown =
    start === "Bundle" ? copy : copy.entry?.find(({ resource }) => resource?.resourceType === start)?.resource;
  const parent = steps.reduce<unknown>((at, step) => (at as Json)[step], from);
  if (Array.isArray(parent) && value === remove) parent.splice(Number(last), 1);
  else if (Array.isArray(parent) && last === "-") parent.push(value);
  else if (value === remove) delete (parent as Json)[last];
  else (parent as Json)[last] = value;
  return copy;
}
