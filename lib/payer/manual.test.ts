import { expect, test } from "vitest";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { fullReview } from "#test/support/payer/pas/reviews";
import { manual } from "./manual.ts";

function sheet(from = aBuild()): string {
  return manual
    .build(from)
    .map(({ body }) => Buffer.from(body).toString("utf8"))
    .join("");
}

test("the smallest intake is complete, and a person carries every action", () => {
  expect(manual.check({ payer: { id: "P1" }, procedures: [{ code: "X" }] })).toEqual([]);
  const carried = (["transmit", "void"] as const).map((action) => manual.isManual({ ...aBuild(), action }));
  expect(carried).toEqual([true, true]);
});

test("the packet is one readable call that names the payer", () => {
  const [call, ...more] = manual.build(aBuild());
  expect(more).toEqual([]);
  expect(call).toMatchObject({ method: "MANUAL", url: "manual:P1000", contentType: "text/plain; charset=utf-8" });
});

test("the packet of a void names the authorization that is to be voided", () => {
  const sent = { ...aBuild(), action: "void" as const, authorizationNumbers: ["AUTH-1", "AUTH-2"] };
  expect(sheet(sent)).toContain("\nAuthorization number: AUTH-1, AUTH-2\n");
  expect(sheet({ ...sent, authorizationNumbers: [] })).not.toContain("Authorization number");
});

test("the packet says what is known, in words a person can send", () => {
  expect(sheet()).toMatchInlineSnapshot(`
    "PRIOR AUTHORIZATION REQUEST - TEST, NOT A REAL CASE
    ---------------------------------------------------
    Payer: Sample Health Plan (P1000)
    Practice: Elm Street Physical Therapy (elm-street)
    Trace number: 019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6b-1-T
    Revision: 1
    Prepared: Nov 20, 2026, 4:00 AM CST

    Member
    ------
    Member ID: M1000
    Patient: Testperson, Robin
    Date of birth: 02/29/1980
    Gender: Female (F)
    Relationship to subscriber: Self (18)

    Requesting provider
    -------------------
    Name: Sample, Kim
    NPI: 1234567893

    Request
    -------
    Service type: Physical therapy (PT)
    Place of service: Office (11)
    Service dates: 12/01/2026 to 12/31/2026

    Service 1
    ---------
    Code: 97110
    Quantity: 12 visits (VS)

    Diagnosis 1
    -----------
    Code: M54.16
    Qualifier: Principal (ABK)
    "
  `);
});

test("an appeal names each line that was denied, changed or certified in part, and no other", () => {
  const line = (sequence: number, action: "A1" | "A2" | "A3" | "A6") => ({ sequence, action, reasons: ["0F"] });
  const lines = [line(1, "A1"), line(2, "A2"), line(3, "A3"), line(4, "A6")];
  const contested = { outcome: "partially-approved", lines, notes: [], source: "connector" } as const;
  const review = aReview({ appeal: { type: "appeal", reason: "See the report." } });
  const text = sheet(aBuild({ review, contested }));
  expect(["A1", "A2", "A3", "A6"].map((action) => text.includes(` (${action}), reason 0F`))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test("a price stands as it was given, in dollars", () => {
  const priced = (unitPrice: number) => sheet(aBuild({ review: aReview({ procedures: [{ code: "J1", unitPrice }] }) }));
  expect(priced(0.004)).toContain("Unit price: $0.004\n");
  expect(priced(85.5)).toContain("Unit price: $85.50\n");
  expect(priced(12_500)).toContain("Unit price: $12,500.00\n");
});

test("a void says why and names the payer's reference", () => {
  const text = sheet(aBuild({ action: "void", reason: "Sent for the wrong patient", payerReference: "REF-1" }));
  expect(text).toContain("REQUEST TO VOID A PRIOR AUTHORIZATION");
  expect(text).toContain("Reason for the void: Sent for the wrong patient");
  expect(text).toContain("Payer's reference: REF-1");
  expect(text).toContain("-1-V");
});

test("an update says it is one, and lists the files that go with it by their digests", () => {
  const sha256 = "ab".repeat(32);
  const file = { sha256, contentType: "application/pdf", size: 2048, name: "mri.pdf", since: 1 } as const;
  const text = sheet(aBuild({ update: true, attachments: [{ ...file, bytes: Buffer.alloc(2048) }] }));
  expect(text).toMatch(/^UPDATE OF A PRIOR AUTHORIZATION REQUEST/);
  expect(text).toContain(
    `Attachment 1\n------------\nName: mri.pdf\nType: application/pdf\nSize: 2048 bytes\nSHA-256: ${sha256}`,
  );
});

test("members nobody knows never reach the packet", () => {
  const review = {
    ...aReview(),
    secretMember: "canary-1",
    patient: { ...aReview().patient, pet: "canary-2" },
    procedures: [{ code: "1", x: "canary-3" }],
  };
  expect(sheet(aBuild({ review }))).not.toContain("canary");
});

test.each(["\n", "\r\n", "\r", "\u2028", "\u0085", "\u000b"])(
  "a value with a line break (%j) cannot pose as a line of the sheet",
  (line) => {
    const review = aReview({ providerNotes: [{ message: `harmless${line}Member ID: FORGED` }] });
    expect(sheet(aBuild({ review })).split("\n")).not.toContain("Member ID: FORGED");
    expect(sheet(aBuild({ review }))).toContain("    Member ID: FORGED");
  },
);

test("the packet says everything the fullest review does", () => {
  const text = sheet(aBuild({ review: fullReview }));
  for (const line of [
    "Patient, middle name: Lee",
    "Patient, address: 1 Elm Street, Floor 2, Springfield, IL 62701",
    "Facility: Elm Street Hospital, NPI 1245319599, 5550110",
    "Group: Elm Street Employees, G-77",
    "Accident: 09/01/2026, AA, IL",
    "Condition 07: 09 applies",
    "Reason for the emergency: Fall from a height.",
    "Unit price: $85.50",
    "Tooth: 14",
    "EPSDT: no",
    "Line number of the requester: LINE-1",
    "Earlier authorization number: AUTH-2025",
    "Home health: 12/01/2026, prognosis 1",
    "Reason for the retrospective request: The patient was unconscious.",
    "Code: 00093-7214-01",
    "Order: medication, 11/20/2026, One tablet a day.",
  ])
    expect(text).toContain(line);
});

test("a live packet has no word of a test", () => {
  expect(sheet(aBuild({ environment: "live" }))).not.toContain("TEST");
  expect(sheet(aBuild({ environment: "test" }))).toContain("TEST, NOT A REAL CASE");
});

test("the same input always gives the same bytes", () => {
  expect(manual.build(aBuild())).toEqual(manual.build(aBuild()));
});

test("nothing is ever sent or inquired about over this connector", () => {
  expect(() => manual.send([], { signal: new AbortController().signal })).toThrow("a manual submission");
});
