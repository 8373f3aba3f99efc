import type { Bundle, Claim, ClaimItem, ClaimSupportingInfo } from "fhir/r4";
import { describe, expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { bundleOf, updateOf, voidOf } from "#test/support/payer/pas/history";
import { anAttachment } from "#test/support/payer/pas/reviews";
import { previousOf } from "./previous.ts";
import { extensions } from "./vocabulary.ts";

type Procedures = ServiceReview["procedures"];

/** Sends the reviews one after another and gives the Claim of the last. */
function claimAfter(...reviews: Partial<ServiceReview>[]): Claim {
  return claimIn(bundleOf(stepsOf(reviews)));
}

function stepsOf([first = {}, ...reviews]: Partial<ServiceReview>[], settings = {}): Build {
  const from = aBuild({ settings, review: aReview(first) });
  return reviews.reduce<Build>((last, review) => updateOf(last, { review: aReview(review) }), from);
}

function claimIn({ entry }: Bundle): Claim {
  return entry?.[0]?.resource as Claim;
}

/** An item as `sequence code(modifiers) quantity certification mark`, a cancelled one in brackets. */
function changeText(item: ClaimItem): string {
  const mark = (url: string) => item.extension?.find((each) => each.url === url);
  const modifiers = (item.modifier ?? []).map(({ coding }) => coding?.[0]?.code).join("+");
  const parts = [
    item.sequence,
    item.productOrService.coding?.[0]?.code + (modifiers && `(${modifiers})`),
    item.quantity?.value,
    mark(extensions.certificationType)?.valueCodeableConcept?.coding?.[0]?.code,
    mark(extensions.infoChanged)?.valueCode,
  ].filter((word) => word !== undefined);
  return item.modifierExtension ? `[${parts.join(" ")}]` : parts.join(" ");
}

function informationText({
  sequence,
  valueString,
  timingPeriod,
  timingDate,
  extension,
  modifierExtension,
}: ClaimSupportingInfo): string {
  const mark = extension?.find(({ url }) => url === extensions.infoChanged)?.valueCode;
  const parts = [sequence, valueString ?? timingDate ?? timingPeriod?.end, mark].filter((word) => word !== undefined);
  return modifierExtension ? `[${parts.join(" ")}]` : parts.join(" ");
}

describe("the items of an update", () => {
  const a = { code: "97110", quantity: 1 };
  const b = { code: "97112", quantity: 2 };
  const c = { code: "E0601", quantity: 3 };

  test.each<[string, Procedures[], string[]]>([
    [
      "the same again",
      [
        [a, b],
        [a, b],
      ],
      ["1 97110 1 I", "2 97112 2 I"],
    ],
    [
      "in another order",
      [
        [a, b],
        [b, a],
      ],
      ["1 97110 1 I", "2 97112 2 I"],
    ],
    ["one more", [[a], [a, b]], ["1 97110 1 I", "2 97112 2 I added"]],
    ["one in front", [[a], [b, a]], ["1 97110 1 I", "2 97112 2 I added"]],
    [
      "another quantity",
      [
        [a, b],
        [{ ...a, quantity: 9 }, b],
      ],
      ["1 97110 9 S changed", "2 97112 2 I"],
    ],
    ["one less", [[a, b], [b]], ["[1 97110 1 3 changed]", "2 97112 2 I"]],
    ["another code", [[a], [b]], ["[1 97110 1 3 changed]", "2 97112 2 I added"]],
    ["another modifier", [[a], [{ ...a, modifierCode1: "GP" }]], ["[1 97110 1 3 changed]", "2 97110(GP) 1 I added"]],
    ["cancelled stays cancelled and is no change any more", [[a, b], [b], [b]], ["[1 97110 1 3]", "2 97112 2 I"]],
    ["cancelled and asked again is new", [[a, b], [b], [b, a]], ["[1 97110 1 3]", "2 97112 2 I", "3 97110 1 I added"]],
    ["added is no change the next time", [[a], [a, b], [a, b]], ["1 97110 1 I", "2 97112 2 I"]],
    ["changed is no change the next time", [[a], [{ ...a, quantity: 9 }], [{ ...a, quantity: 9 }]], ["1 97110 9 S"]],
    ["sequences are never used twice", [[a, b], [a], [a, c]], ["1 97110 1 I", "[2 97112 2 3]", "3 E0601 3 I added"]],
    [
      "of two alike the one with the same dates is the same",
      [
        [
          { ...a, fromDate: "2026-12-01" },
          { ...a, fromDate: "2026-12-08" },
        ],
        [{ ...a, quantity: 5, fromDate: "2026-12-08" }],
      ],
      ["[1 97110 1 3 changed]", "2 97110 5 S changed"],
    ],
    [
      "of two alike the one that is the same in everything is the same",
      [
        [a, { ...a, quantity: 7 }],
        [
          { ...a, quantity: 7 },
          { ...a, quantity: 8 },
        ],
      ],
      ["1 97110 8 S changed", "2 97110 7 I"],
    ],
    ["nothing but alike, one more of it", [[a], [a, a]], ["1 97110 1 I", "2 97110 1 I added"]],
  ])("%s", (_, revisions, items) => {
    expect(claimAfter(...revisions.map((procedures) => ({ procedures }))).item?.map(changeText)).toEqual(items);
  });

  test("a request of another certification type now is changed to it", () => {
    const items = claimAfter({}, { certificationTypeCode: "R" }).item;
    expect(items?.map(changeText)).toEqual(["1 97110 12 R changed"]);
  });

  test("an item that points at another set of diagnoses is changed; a cancelled one points at none", () => {
    const two = [{ code: "M54.16" }, { code: "I10" }];
    const more = claimAfter(
      { procedures: [a, b], diagnoses: [{ code: "M54.16" }] },
      { procedures: [a], diagnoses: two },
    );
    expect(more.item?.map(changeText)).toEqual(["1 97110 1 S changed", "[2 97112 2 3 changed]"]);
    expect(more.item?.map(({ diagnosisSequence }) => diagnosisSequence)).toEqual([[1, 2], undefined]);
  });

  test("a diagnosis keeps its sequence, and none is used twice", () => {
    const codes = (...list: string[]) => ({ diagnoses: list.map((code) => ({ code })) });
    const { diagnosis } = claimAfter(codes("M54.16", "I10"), codes("I10", "E11.9"), codes("E11.9", "M54.16"));
    expect(diagnosis?.map(({ sequence, diagnosisCodeableConcept: of }) => [sequence, of?.coding?.[0]?.code])).toEqual([
      [3, "E11.9"],
      [4, "M54.16"],
    ]);
  });
});

describe("the information of an update", () => {
  const notes = (...messages: string[]) => ({ providerNotes: messages.map((message) => ({ message })) });

  test.each<[string, Partial<ServiceReview>[], string[]]>([
    ["the same again", [notes("a"), notes("a")], ["1 2026-12-31", "2 a"]],
    ["one more note", [notes("a"), notes("a", "b")], ["1 2026-12-31", "2 a", "3 b added"]],
    ["a note no longer there", [notes("a", "b"), notes("b")], ["1 2026-12-31", "[2 a changed]", "3 b"]],
    ["a note that comes back is new", [notes("a"), notes(), notes("a")], ["1 2026-12-31", "[2 a]", "3 a added"]],
    ["other dates", [{}, { toDate: "2027-01-31" }], ["1 2027-01-31 changed"]],
    [
      "dates given up and given again keep their one place",
      [{}, { fromDate: undefined, procedures: [{ code: "97110", fromDate: "2026-12-01" }] }, {}],
      ["1 2026-12-31 changed"],
    ],
    [
      "an admission has dates of another kind",
      [{}, { requestTypeCode: "AR" }],
      ["[1 2026-12-31 changed]", "2 2026-12-31 added"],
    ],
  ])("%s", (_, reviews, information) => {
    expect(claimAfter(...reviews).supportingInfo?.map(informationText)).toEqual(information);
  });

  test("a file sent before keeps its place, its code and its bytes, and goes once", () => {
    const first = aBuild({ attachments: [anAttachment("one")] });
    const informationRequest = {
      text: "more",
      items: [{ kind: "document" as const, code: { system: "pwk" as const, value: "M1" } }],
    };
    const second = bundleOf(
      updateOf(first, { attachments: [anAttachment("one"), anAttachment("two", 2)], informationRequest }),
    );
    const documents = (second.entry ?? []).filter(({ resource }) => resource?.resourceType === "DocumentReference");
    expect(documents.map(({ resource }) => resource)).toMatchObject(
      ["one", "two"].map((text) => ({ content: [{ attachment: { data: Buffer.from(text).toString("base64") } }] })),
    );
    const lines = claimIn(second).supportingInfo?.filter(({ valueReference }) => valueReference) ?? [];
    expect(lines.map(({ sequence, valueReference }) => [sequence, valueReference?.reference])).toEqual([
      [2, documents[0]?.fullUrl],
      [3, documents[1]?.fullUrl],
    ]);
    const reports = lines.map(
      ({ extension }) => extension?.[0]?.extension?.[0]?.valueCodeableConcept?.coding?.[0]?.code,
    );
    expect(reports).toEqual(["77", "M1"]);
  });

  test("a file that is no longer part of the request is cancelled and still there to be seen", () => {
    const bundle = bundleOf(updateOf(aBuild({ attachments: [anAttachment("one")] }), { attachments: [] }));
    const line = claimIn(bundle).supportingInfo?.[1];
    expect(line?.modifierExtension).toEqual([{ url: extensions.infoCancelled, valueBoolean: true }]);
    expect(bundle.entry?.find(({ fullUrl }) => fullUrl === line?.valueReference?.reference)).toBeDefined();
  });
});

test("an update names the payer's number for the case where the guide has a place for it", () => {
  const extension = (version: string) =>
    claimIn(bundleOf({ ...stepsOf([{}, {}], { version }), payerReference: "R1" })).extension;
  expect(extension("2.2.1")).toEqual([{ url: extensions.administrationReferenceNumber, valueString: "R1" }]);
  expect(extension("2.0.1")).toBeUndefined();
});

test("a void takes back what was sent last, whatever was prepared since, and says why", () => {
  const sent = stepsOf([{ providerNotes: [{ message: "a" }] }, { procedures: [{ code: "97112" }] }]);
  const prepared = {
    ...voidOf(sent, "The patient moved."),
    revision: 7,
    review: aReview({ procedures: [{ code: "E0601" }] }),
  };
  const claim = claimIn(bundleOf(prepared));
  expect(claim.item?.map(changeText)).toEqual(["[1 97110 12 3]", "2 97112 I"]);
  expect(claim.supportingInfo?.map(informationText)).toEqual(["1 2026-12-31", "[2 a]", "3 The patient moved. added"]);
  expect(claim.identifier?.[0]?.value).toMatch(/-7-V$/);
});

test("a void under 2.0.1 cancels every item that is not cancelled yet", () => {
  const sent = stepsOf([{ procedures: [{ code: "97110" }, { code: "97112" }] }, { procedures: [{ code: "97112" }] }], {
    version: "2.0.1",
  });
  expect(claimIn(bundleOf(voidOf(sent))).item?.map(changeText)).toEqual(["[1 97110 3]", "[2 97112 3 changed]"]);
});

describe("what was sent before is no base for an update or a void", () => {
  const first = aBuild();
  const { sent } = updateOf(first);
  const manual = { method: "MANUAL", url: "manual:P1000", contentType: "text/plain", body: Buffer.from("sheet") };

  test("unless it went to this payer", () => {
    const destination = { ...first.destination, payerId: "P2000" };
    expect(previousOf({ sent, destination })).toBeUndefined();
    expect(previousOf({ sent, destination: first.destination })).toBeDefined();
  });

  test("unless it was of this environment", () => {
    const destination = { ...first.destination, environment: "live" as const };
    expect(previousOf({ sent, destination })).toBeUndefined();
  });

  test("unless it went over this wire, and was a request", () => {
    const { destination } = first;
    expect(previousOf({ sent: [], destination })).toBeUndefined();
    const sentManually = { action: "transmit" as const, revision: 2, calls: [manual] };
    expect(previousOf({ sent: [...sent, sentManually], destination })).toBeUndefined();
    const voided = sent.map((each) => ({ ...each, action: "void" as const }));
    expect(previousOf({ sent: voided, destination })).toBeUndefined();
  });
});
