import { expect, test } from "vitest";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { aBuild } from "#test/support/payer/pas/build";
import { fullReview } from "#test/support/payer/pas/reviews";
import { checkSubmission } from "./rules.ts";
import { codes, urls } from "./vocabulary.ts";

type Json = Record<string, unknown>;

const versions = ["2.2.1", "2.0.1"] as const;

/** The fullest request, as JSON to spoil. */
function aRequest(version: (typeof versions)[number] = "2.2.1"): Json {
  const [call] = pasFhir.build(aBuild({ settings: { version }, review: fullReview }));
  return JSON.parse(Buffer.from(call?.body ?? []).toString("utf8")) as Json;
}

function resource(bundle: Json, type: string): Json {
  const found = (bundle["entry"] as { resource: Json }[]).find((entry) => entry.resource["resourceType"] === type);
  if (!found) throw new Error(`the request has a ${type}`);
  return found.resource;
}

const claim = (bundle: Json) => resource(bundle, "Claim");
const item = (bundle: Json, at = 0) => (claim(bundle)["item"] as Json[])[at] as Json;

function extension(of: Json, url: string): Json {
  const found = (of["extension"] as Json[]).find((each) => each["url"] === url);
  if (!found) throw new Error(`the request has ${url}`);
  return found;
}

/** An extension of the first item that has it. */
function itemExtension(bundle: Json, url: string): Json {
  const all = (claim(bundle)["item"] as Json[]).flatMap((each) => (each["extension"] ?? []) as Json[]);
  return extension({ extension: all }, url);
}

test.each(versions)("PAS %s: what the fullest request says beyond its services is accepted", (version) => {
  const checked = checkSubmission(aRequest(version), version);
  expect(checked.ok ? [] : checked.problems).toEqual([]);
});

const elsewhere = { valueReference: { reference: "Encounter/1" } };
const unknown = { coding: [{ system: "urn:oid:1.2.3", code: "1" }] };

test.each<[string, string, (bundle: Json) => unknown]>([
  ["Claim.accident", "half a day of an accident", (of) => (claim(of)["accident"] = { date: "2026-09" })],
  [
    "Claim.accident.type",
    "an unknown accident",
    (of) => Object.assign(claim(of)["accident"] as Json, { type: unknown }),
  ],
  [
    "Claim.extension:conditionCode",
    "a certification condition that neither applies nor does not",
    (of) => ((extension(claim(of), urls.condition)["extension"] as Json[])[1] = { url: "indicator" }),
  ],
  [
    "Claim.extension:conditionCode",
    "a certification condition without a code",
    (of) => (extension(claim(of), urls.condition)["extension"] as Json[]).splice(2),
  ],
  [
    "Claim.extension:homeHealthCareInformation",
    "home health without its start",
    (of) => (extension(claim(of), urls.homeHealth)["extension"] as Json[]).splice(1),
  ],
  [
    "Claim.extension:encounter",
    "a stay that is not in the bundle",
    (of) => Object.assign(extension(claim(of), urls.encounter), elsewhere),
  ],
  [
    "Claim.extension:authorizationNumber",
    "an earlier authorization without its number",
    (of) => delete extension(claim(of), urls.authorization)["valueString"],
  ],
  [
    "Claim.item[3].productOrService",
    "an NDC of ten digits",
    (of) => (item(of, 3)["productOrService"] = { coding: [{ system: codes.ndc, code: "0093721401" }] }),
  ],
  [
    "Claim.item[0].extension:productOrServiceCodeEnd",
    "a range to an unknown code",
    (of) => (itemExtension(of, urls.codeEnd)["valueCodeableConcept"] = unknown),
  ],
  ["Claim.item[0].unitPrice", "a price in no currency", (of) => (item(of)["unitPrice"] = { value: 85.5 })],
  ["Claim.item[1].bodySite", "a tooth of another numbering", (of) => (item(of, 1)["bodySite"] = unknown)],
  [
    "Claim.item[1].bodySite",
    "a tooth that nobody has",
    (of) => (item(of, 1)["bodySite"] = { coding: [{ system: codes.tooth, code: "33" }] }),
  ],
  [
    "Claim.item[0].extension:epsdtIndicator",
    "EPSDT in words",
    (of) => Object.assign(itemExtension(of, urls.epsdt), { valueBoolean: "no" }),
  ],
  [
    "Claim.item[0].extension:itemTraceNumber",
    "a trace number of nobody",
    (of) => (itemExtension(of, urls.itemTrace)["valueIdentifier"] = { value: "LINE-1" }),
  ],
  [
    "Claim.item[0].extension:authorizationNumber",
    "a line's earlier authorization without its number",
    (of) => (itemExtension(of, urls.authorization)["valueString"] = ""),
  ],
  [
    "Claim.item[1].extension:nursingHomeLevelOfCare",
    "an unknown level of care",
    (of) => (itemExtension(of, urls.levelOfCare)["valueCodeableConcept"] = unknown),
  ],
  [
    "Claim.item[1].extension:nursingHomeResidentialStatus",
    "an unknown residential status",
    (of) => (itemExtension(of, urls.residentialStatus)["valueCodeableConcept"] = unknown),
  ],
  [
    "Claim.item[1].extension:revenueUnitRateLimit",
    "a limit of nothing",
    (of) => (itemExtension(of, urls.rateLimit)["valueDecimal"] = 0),
  ],
  [
    "Claim.item[0].extension:requestedService",
    "an order that is not in the bundle",
    (of) => Object.assign(itemExtension(of, urls.requestedService), elsewhere),
  ],
  ["status", "a stay that is over", (of) => (resource(of, "Encounter")["status"] = "finished")],
  ["type", "a stay without its kind", (of) => delete resource(of, "Encounter")["type"]],
  ["class", "a stay without its class", (of) => delete resource(of, "Encounter")["class"]],
  ["subject", "a stay of nobody", (of) => delete resource(of, "Encounter")["subject"]],
  ["name", "a nameless place", (of) => delete resource(of, "Location")["name"]],
  ["address", "a place without an address", (of) => delete resource(of, "Location")["address"]],
  ["intent", "a proposal of a service", (of) => (resource(of, "ServiceRequest")["intent"] = "proposal")],
  ["code", "an order of no device", (of) => delete resource(of, "DeviceRequest")["codeCodeableConcept"]],
  ["medication", "an order of no drug", (of) => delete resource(of, "MedicationRequest")["medicationCodeableConcept"]],
  ["dateTime", "an undated diet", (of) => delete resource(of, "NutritionOrder")["dateTime"]],
  ["patient", "a diet of nobody", (of) => delete resource(of, "NutritionOrder")["patient"]],
])("%s: a request with %s is refused, and told where", (at, _, spoil) => {
  const bundle = aRequest();
  spoil(bundle);
  const checked = checkSubmission(bundle, "2.2.1");
  const places = checked.ok ? [] : checked.problems.map((problem) => problem.at);
  expect(places.some((place) => place === at || place.endsWith(`.resource.${at}`))).toBe(true);
});
