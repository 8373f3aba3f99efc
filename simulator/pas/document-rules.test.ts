import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  aFirstBundle,
  entriesOf,
  resourceIn,
  rowOf,
  rowsOf,
  withDocument,
  type Json,
} from "#test/support/payer/pas/bundles";
import { checkSubmission } from "./rules.ts";

/** A request with one document of three bytes. */
function withOneDocument(): Json {
  const bundle = aFirstBundle();
  withDocument(resourceIn(bundle, "Claim"), bundle, { text: "abc", sequence: 1 });
  return bundle;
}

const document = (bundle: Json) => resourceIn(bundle, "DocumentReference");
const claim = (bundle: Json) => resourceIn(bundle, "Claim");
const attachment = (bundle: Json) => (document(bundle)["content"] as { attachment: Json }[])[0]?.attachment ?? {};
const aRow = (category: string, members: object): Json => ({
  category: { coding: [{ system: "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes", code: category }] },
  ...members,
});
const addRows = (bundle: Json, ...rows: Json[]) =>
  (claim(bundle)["supportingInfo"] = [
    ...rowsOf(claim(bundle), "supportingInfo"),
    ...rows.map((row, at) => ({ sequence: at + 2, ...row })),
  ]);

const problems = (bundle: Json) => {
  const checked = checkSubmission(bundle, "2.2.1");
  return checked.ok ? [] : checked.problems.map(({ at, text }) => `${at} ${text}`);
};

test.each<[string, (bundle: Json) => unknown]>([
  ["as it is", () => undefined],
  [
    "with its size and hash",
    (bundle) => Object.assign(attachment(bundle), { size: 3, hash: createHash("sha1").update("abc").digest("base64") }),
  ],
  [
    "with dates and a message beside it",
    (bundle) =>
      addRows(
        bundle,
        aRow("patientEvent", { timingDate: "2026-12-01" }),
        aRow("admissionDates", { timingPeriod: { start: "2026-12-01", end: "2026-12-03" } }),
        aRow("freeFormMessage", { valueString: "Please." }),
      ),
  ],
])("a request with a document %s is accepted", (_, change) => {
  const bundle = withOneDocument();
  change(bundle);
  expect(problems(bundle)).toEqual([]);
});

test.each<[string, (bundle: Json) => unknown]>([
  ["Bundle.entry[5].resource.status must be current", (bundle) => (document(bundle)["status"] = "superseded")],
  ["Bundle.entry[5].resource.type needs", (bundle) => delete document(bundle)["type"]],
  ["Bundle.entry[5].resource.category must", (bundle) => delete document(bundle)["category"]],
  ["Bundle.entry[5].resource.subject must", (bundle) => delete document(bundle)["subject"]],
  ["Bundle.entry[5].resource.content must", (bundle) => (document(bundle)["content"] = [])],
  ["Bundle.entry[5].resource.content.attachment.contentType", (bundle) => delete attachment(bundle)["contentType"]],
  ["Bundle.entry[5].resource.content.attachment.data", (bundle) => delete attachment(bundle)["data"]],
  ["Bundle.entry[5].resource.content.attachment.data", (bundle) => (attachment(bundle)["data"] = "%PDF-1.7")],
  ["Bundle.entry[5].resource.content.attachment.data", (bundle) => (attachment(bundle)["data"] = "YWJ")],
  [
    "Bundle.entry[5].resource.content.attachment.url",
    (bundle) => (attachment(bundle)["url"] = "https://example.org/1"),
  ],
  ["Bundle.entry[5].resource.content.attachment.size", (bundle) => (attachment(bundle)["size"] = 4)],
  ["Bundle.entry[5].resource.content.attachment.hash", (bundle) => (attachment(bundle)["hash"] = "AAAA")],
  ["Bundle.entry[5].fullUrl must end with", (bundle) => (document(bundle)["id"] = "another")],
  [
    "Claim.supportingInfo[0].extension needs documentInformation",
    (bundle) => delete rowOf(claim(bundle), "supportingInfo", 0)["extension"],
  ],
  [
    "Claim.supportingInfo[0].valueReference must",
    (bundle) => delete rowOf(claim(bundle), "supportingInfo", 0)["valueReference"],
  ],
  [
    "Claim.supportingInfo[0].timing must not",
    (bundle) => (rowOf(claim(bundle), "supportingInfo", 0)["timingDate"] = "2026-12-01"),
  ],
  ["Claim.supportingInfo[0].category must", (bundle) => delete rowOf(claim(bundle), "supportingInfo", 0)["category"]],
  [
    "Claim.supportingInfo[1].value must not",
    (bundle) => addRows(bundle, aRow("patientEvent", { timingDate: "2026-12-01", valueString: "x" })),
  ],
  [
    "Claim.supportingInfo[1].timing must be full",
    (bundle) => addRows(bundle, aRow("dischargeDates", { timingDate: "2026-12" })),
  ],
  [
    "Claim.supportingInfo must have admissionDates at most once",
    (bundle) =>
      addRows(
        bundle,
        aRow("admissionDates", { timingDate: "2026-12-01" }),
        aRow("admissionDates", { timingDate: "2026-12-02" }),
      ),
  ],
  [
    "Bundle.entry[5].resource refers to a resource",
    (bundle) => (document(bundle)["author"] = [{ reference: "Practitioner/nobody" }]),
  ],
  [
    "Bundle.entry[3].resource.identifier needs the member number",
    (bundle) => delete resourceIn(bundle, "Coverage")["identifier"],
  ],
  [
    "Claim.insurance must be there, with its sequence",
    (bundle) => delete (claim(bundle)["insurance"] as Json[])[0]?.["sequence"],
  ],
  [
    "Claim.diagnosis[0].type must be",
    (bundle) =>
      (claim(bundle)["diagnosis"] = [
        {
          sequence: 1,
          diagnosisCodeableConcept: { coding: [{ system: "http://hl7.org/fhir/sid/icd-10-cm", code: "G89.4" }] },
          type: [{ coding: [{ code: "clinical" }] }],
        },
      ]),
  ],
  [
    "Bundle.entry[0].resource.meta.profile names another version",
    (bundle) =>
      (claim(bundle)["meta"] = {
        profile: ["http://hl7.org/fhir/us/davinci-pas/StructureDefinition/profile-claim|2.0.1"],
      }),
  ],
])("%s: a request that breaks this is refused", (expected, spoil) => {
  const bundle = withOneDocument();
  spoil(bundle);
  expect(problems(bundle).filter((problem) => problem.startsWith(expected))).toHaveLength(1);
});

test("a relative reference means the resource on the base of the entry that holds it", () => {
  const bundle = aFirstBundle();
  const patient = entriesOf(bundle).find(({ resource }) => resource["resourceType"] === "Patient");
  if (patient) patient.fullUrl = "http://elsewhere.example.org/fhir/Patient/SubscriberExample";
  expect(problems(bundle)).toContainEqual(expect.stringMatching(/^Claim.patient must be a Patient of the bundle/));
});
