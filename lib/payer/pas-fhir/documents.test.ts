import type { Claim, DocumentReference } from "fhir/r4";
import { expect, test } from "vitest";
import type { InformationRequest, RequestedItem } from "#lib/task/model/information-request";
import type { Build } from "#lib/payer/connector";
import { aBuild } from "#test/support/payer/pas/build";
import { bundleOf, updateOf } from "#test/support/payer/pas/history";
import { anAttachment } from "#test/support/payer/pas/reviews";
import { systems } from "./vocabulary.ts";

/** How the files of a request are coded: LOINC type, report type, control number. */
function codesOf(from: Build) {
  const { entry = [] } = bundleOf(from);
  const claim = entry[0]?.resource as Claim;
  return entry.flatMap(({ fullUrl, resource }) => {
    if (resource?.resourceType !== "DocumentReference") return [];
    const line = claim.supportingInfo?.find(({ valueReference }) => valueReference?.reference === fullUrl);
    const about = line?.extension?.[0]?.extension ?? [];
    const [report, , control] = about;
    return [
      {
        loinc: (resource as DocumentReference).type?.coding?.[0],
        report: report?.valueCodeableConcept?.coding?.[0],
        control: control?.valueString,
      },
    ];
  });
}

const requestFor = (...items: RequestedItem[]): InformationRequest => ({ text: "more", items });
const general = {
  loinc: { system: systems.loinc, code: "77599-9" },
  report: { system: systems.attachment, code: "77" },
};

test("a file nobody asked for is additional documentation, as support for verification", () => {
  expect(codesOf(aBuild({ attachments: [anAttachment("one")] }))).toMatchObject([general]);
});

test.each<[string, RequestedItem, object]>([
  [
    "LOINC",
    { kind: "document", code: { system: "loinc", value: "18842-5" } },
    { ...general, loinc: { system: systems.loinc, code: "18842-5" } },
  ],
  [
    "PWK",
    { kind: "document", code: { system: "pwk", value: "DS" } },
    { ...general, report: { system: systems.attachment, code: "DS" } },
  ],
  ["the payer's own", { kind: "document", code: { system: "payer", value: "X" } }, general],
  ["no code, but a number to repeat", { kind: "document", trace: "C-17" }, { ...general, control: "C-17" }],
])("a file that answers a request for one document goes as the payer asked: %s", (_, item, codes) => {
  const update = updateOf(aBuild(), { attachments: [anAttachment("one", 2)], informationRequest: requestFor(item) });
  expect(codesOf(update)).toMatchObject([codes]);
});

test("a file that came with a revision nobody released still goes as the payer asked", () => {
  const informationRequest = requestFor({ kind: "document", code: { system: "pwk", value: "DS" } });
  const update = {
    ...updateOf(aBuild(), { attachments: [anAttachment("one", 2)], informationRequest: informationRequest }),
    revision: 3,
  };
  expect(codesOf(update)).toMatchObject([{ report: { code: "DS" } }]);
});

test("where several documents are wanted nobody guesses which file is which", () => {
  const codes = ["18842-5", "11504-8"].map((value) => ({ system: "loinc" as const, value }));
  const informationRequest = requestFor(...codes.map((code) => ({ kind: "document" as const, code })), {
    kind: "answer",
  });
  const attachments = [anAttachment("one", 2), anAttachment("two", 2)];
  expect(codesOf(updateOf(aBuild(), { attachments, informationRequest: informationRequest }))).toMatchObject([
    general,
    general,
  ]);
});

const named = (text: string, name: string) => ({ ...anAttachment(text, 2), name });

test("where the agent says what each file is, two wanted documents are answered as those two, by the payer's numbers", () => {
  const informationRequest = requestFor(
    { kind: "document", code: { system: "loinc", value: "18842-5" }, trace: "C-1" },
    { kind: "document", code: { system: "pwk", value: "OZ" }, trace: "C-2" },
    { kind: "answer" },
  );
  const fileTypes = [
    { fileName: "discharge.pdf", loincCode: "18842-5" },
    { fileName: "support.pdf", reportTypeCode: "OZ" },
    { fileName: "notes.pdf", loincCode: "11506-3", reportTypeCode: "09" },
  ];
  const files = ["support.pdf", "other.pdf", "notes.pdf", "discharge.pdf"];
  const first = aBuild();
  const update = updateOf(first, {
    ...{ informationRequest, attachments: files.map((name) => named(name, name)) },
    review: { ...first.review, fileTypes },
  });
  expect(codesOf(update)).toMatchObject([
    { ...general, report: { code: "OZ" }, control: "C-2" },
    general,
    { loinc: { code: "11506-3" }, report: { code: "09" } },
    { ...general, loinc: { code: "18842-5" }, control: "C-1" },
  ]);
  const [, other, notes] = codesOf(update).map(({ control }) => control);
  for (const control of [other, notes]) expect(["C-1", "C-2"]).not.toContain(control);
});

test("what the payer asks for by two codes under one number is answered under that number, and a named file by both codes", () => {
  const informationRequest = requestFor(
    { kind: "document", code: { system: "pwk", value: "15" }, trace: "C-1" },
    { kind: "document", code: { system: "loinc", value: "18776-5" }, trace: "C-1" },
  );
  const first = aBuild();
  const attachments = [named("a", "a.pdf")];
  expect(codesOf(updateOf(first, { informationRequest, attachments }))).toMatchObject([{ ...general, control: "C-1" }]);
  const review = { ...first.review, fileTypes: [{ fileName: "a.pdf", loincCode: "18776-5" }] };
  expect(codesOf(updateOf(first, { informationRequest, attachments, review }))).toMatchObject([
    { loinc: { code: "18776-5" }, report: { code: "15" }, control: "C-1" },
  ]);
});

test("two documents of one code are answered by two files of it, each by its number", () => {
  const wanted = (trace: string) => ({ kind: "document", code: { system: "loinc", value: "18842-5" }, trace }) as const;
  const fileTypes = ["a.pdf", "b.pdf"].map((fileName) => ({ fileName, loincCode: "18842-5" }));
  const first = aBuild();
  const update = updateOf(first, {
    ...{ informationRequest: requestFor(wanted("C-1"), wanted("C-2")), review: { ...first.review, fileTypes } },
    attachments: [named("a", "a.pdf"), named("b", "b.pdf")],
  });
  expect(codesOf(update).map(({ control }) => control)).toEqual(["C-1", "C-2"]);
});

test("a file of another type than the only wanted document is not taken for it", () => {
  const first = aBuild();
  const update = updateOf(first, {
    informationRequest: requestFor({ kind: "document", code: { system: "pwk", value: "DS" }, trace: "C-1" }),
    review: { ...first.review, fileTypes: [{ fileName: "a.pdf", reportTypeCode: "09" }] },
    attachments: [named("a", "a.pdf"), named("b", "b.pdf")],
  });
  expect(codesOf(update)).toMatchObject([{ report: { code: "09" } }, { report: { code: "DS" }, control: "C-1" }]);
  expect(codesOf(update)[0]?.control).not.toBe("C-1");
});

test("each file has a number of its own, the same however often it is built", () => {
  const from = aBuild({ attachments: [anAttachment("one"), anAttachment("two")] });
  const controls = codesOf(from).map(({ control }) => control);
  expect(new Set(controls).size).toBe(2);
  expect(codesOf({ ...from, openedAt: new Date() }).map(({ control }) => control)).toEqual(controls);
});

test("no name of a file leaves, for it may name the patient", () => {
  const file = { ...anAttachment("one"), name: "canary.pdf" };
  expect(JSON.stringify(bundleOf(aBuild({ attachments: [file] })))).not.toContain("canary");
});
