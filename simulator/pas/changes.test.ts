import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  aFirstBundle,
  anUpdateOf,
  cancel,
  flag,
  resourceIn,
  rowOf,
  rowsOf,
  type Json,
} from "#test/support/payer/pas/bundles";
import { actionsOf, addDocument, forward, submit, versions, type Version } from "#test/support/payer/pas/submissions";
import { aSimulator } from "#test/support/payer/simulator";

test("an update is answered for every item, cancelled ones by C, and is entered beside the request", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ name: "first" });
  await submit(simulator, first);
  const update = anUpdateOf(
    first,
    (claim, bundle) => {
      cancel(rowOf(claim, "item", 1));
      flag(rowOf(claim, "item", 1), "changed");
      addDocument(claim, bundle);
    },
    "second",
  );
  const { response } = await submit(simulator, update);
  expect(response).toMatchObject({
    outcome: "complete",
    identifier: [{ value: "second" }],
    item: [{ itemSequence: 1 }, { itemSequence: 2 }],
  });
  expect(actionsOf(response)).toEqual(["A1", "C"]);
  const sha256 = createHash("sha256").update("the note").digest("hex");
  expect(await simulator.ledger()).toMatchObject([
    { kind: "request", trace: "first", attachments: [] },
    { kind: "update", trace: "second", attachments: [{ sha256, contentType: "text/plain", bytes: 8 }], times: 1 },
  ]);
});

test("the same update again is answered again, and the same identity with other bytes is a conflict", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle();
  await submit(simulator, first);
  const update = anUpdateOf(first, () => undefined);
  const once = await submit(simulator, update);
  const twice = await submit(simulator, update);
  expect(twice.response).toEqual(once.response);
  expect(await simulator.ledger()).toMatchObject([{ times: 1 }, { times: 2 }]);
  expect(await submit(simulator, { ...update, timestamp: "2026-11-21T00:00:00Z" })).toMatchObject({ status: 409 });
});

test("an update of a Claim that never came is refused", async () => {
  const simulator = await aSimulator();
  expect(
    await submit(
      simulator,
      anUpdateOf(aFirstBundle(), () => undefined),
    ),
  ).toMatchObject({
    status: 422,
    body: { resourceType: "OperationOutcome", issue: [{ code: "not-found", expression: ["Claim.related[0].claim"] }] },
  });
  expect(await simulator.ledger()).toEqual([]);
});

test("an update of another member's Claim is refused", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle();
  await submit(simulator, first);
  const update = anUpdateOf(first, (_, bundle) => (resourceIn(bundle, "Coverage")["subscriberId"] = "M2"));
  expect(await submit(simulator, update)).toMatchObject({ status: 422, body: { issue: [{ code: "not-found" }] } });
});

test("only the newest version can be updated, and as it was sent", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle();
  await submit(simulator, first);
  await submit(
    simulator,
    anUpdateOf(first, () => undefined),
  );
  expect(
    await submit(
      simulator,
      anUpdateOf(first, () => undefined),
    ),
  ).toMatchObject({
    status: 422,
    body: { issue: [{ code: "conflict", details: { text: expect.stringContaining("newest") } }] },
  });
  const other = aFirstBundle();
  await submit(simulator, other);
  Object.assign(rowOf(resourceIn(other, "Claim"), "item", 0), { quantity: { value: 9, unit: "visits" } });
  expect(
    await submit(
      simulator,
      anUpdateOf(other, () => undefined),
    ),
  ).toMatchObject({
    status: 422,
    body: { issue: [{ code: "conflict", details: { text: expect.stringContaining("differs in item") } }] },
  });
});

test.each(["M1-DENY", "M1-UPD-NO", "M1-DOCS-UPD-NO"])(
  "an update of %s is refused by an error, and nothing changes",
  async (memberId) => {
    const simulator = await aSimulator();
    const first = aFirstBundle({ memberId, name: "first" });
    const before = await submit(simulator, first);
    const { response } = await submit(simulator, anUpdateOf(first, addDocument));
    expect(response).toMatchObject({ outcome: "error", error: [{ extension: expect.any(Array) }] });
    expect(response["item"]).toBeUndefined();
    expect((await submit(simulator, first)).response).toEqual(before.response);
    expect(await simulator.ledger()).toMatchObject([{ kind: "request" }, { kind: "update", state: "rejected" }]);
  },
);

test("2.0.1 finds the Claim by its identifier where an update leaves it out, and holds it against what came", async () => {
  const simulator = await aSimulator();
  await submit(simulator, aFirstBundle({ version: "2.0.1", name: "T1" }), "2.0.1");
  const update = aFirstBundle({ version: "2.0.1", name: "T1" });
  Object.assign(update, { identifier: { system: "http://example.org", value: "B-2" } });
  const claim = resourceIn(update, "Claim");
  const added = { ...structuredClone(rowOf(claim, "item", 0)), sequence: 3 };
  claim["item"] = [...rowsOf(claim, "item"), added];
  flag(added, "added");
  const silent = structuredClone(update);
  Object.assign(rowOf(resourceIn(silent, "Claim"), "item", 0), { quantity: { value: 2, unit: "visits" } });
  expect(await submit(simulator, silent, "2.0.1")).toMatchObject({
    status: 422,
    body: { issue: [{ expression: ["Claim.item[0].extension"] }] },
  });
  expect(actionsOf((await submit(simulator, update, "2.0.1")).response)).toEqual(["A1", "A1", "A1"]);
});

test.each([
  ["PEND-A1", "A1"],
  ["PEND-A2", "A2"],
  ["PEND-A3", "A3"],
  ["PEND-A6", "A6"],
])("member %s is decided by itself as %s, a minute later on the payer's clock", async (ending, action) => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ memberId: `M1-${ending}` });
  expect(actionsOf((await submit(simulator, first)).response)).toEqual(["A4", "A4"]);
  await forward(simulator, 59_000);
  expect(actionsOf((await submit(simulator, first)).response)).toEqual(["A4", "A4"]);
  await forward(simulator, 2_000);
  expect(actionsOf((await submit(simulator, first)).response)).toEqual([action, action]);
});

test.each([
  ["DOCS", "A1"],
  ["DOCS-A2", "A2"],
  ["DOCS-A3", "A3"],
  ["DOCS-A6", "A6"],
  ["DOCS-PEND", "A4"],
])("member %s wants documents, is not content with nothing new, and with one answers %s", async (ending, action) => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ memberId: `M1-${ending}` });
  const requested = await submit(simulator, first);
  expect(actionsOf(requested.response)).toEqual(["A4", "A4"]);
  expect(requested.response["communicationRequest"]).toHaveLength(2);
  const empty = anUpdateOf(first, () => undefined);
  expect((await submit(simulator, empty)).response["communicationRequest"]).toHaveLength(2);
  const { response } = await submit(simulator, anUpdateOf(empty, addDocument));
  expect(actionsOf(response)).toEqual([action, action]);
  expect(response["communicationRequest"]).toBeUndefined();
});

test("a message to the payer answers as well as a document", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ memberId: "M1-DOCS" });
  await submit(simulator, first);
  const update = anUpdateOf(first, (claim) => {
    const category = {
      coding: [{ system: "http://hl7.org/fhir/us/davinci-pas/CodeSystem/PASTempCodes", code: "freeFormMessage" }],
    };
    claim["supportingInfo"] = [{ sequence: 1, category, valueString: "It helped." }];
    flag(rowOf(claim, "supportingInfo", 0), "added");
  });
  expect(actionsOf((await submit(simulator, update)).response)).toEqual(["A1", "A1"]);
});

test("what is wanted is asked for by report type and by LOINC, and every reference is in the answer", async () => {
  const simulator = await aSimulator();
  for (const version of versions) {
    const { body, response } = await submit(simulator, aFirstBundle({ memberId: "M1-DOCS", version }), version);
    const entries = body["entry"] as { fullUrl: string; resource: Json }[];
    const wanted = entries.filter(({ resource }) => resource["resourceType"] === "CommunicationRequest");
    expect(response["communicationRequest"]).toEqual(wanted.map(({ fullUrl }) => ({ reference: fullUrl })));
    const line = [{ url: expect.stringContaining("serviceLineNumber"), valuePositiveInt: 1 }];
    expect(wanted.map(({ resource }) => resource)).toMatchObject([
      { status: "active", category: [{ coding: [{ system: "https://codesystem.x12.org/005010/755", code: "PY" }] }] },
      version === "2.2.1"
        ? { extension: line, payload: [{ contentString: "11506-3" }] }
        : { payload: [{ extension: line, contentString: "11506-3" }] },
    ]);
    const known = new Set(
      entries.map(({ resource }) => `${String(resource["resourceType"])}/${String(resource["id"])}`),
    );
    for (const name of ["patient", "insurer", "requestor"])
      expect(known).toContain((response[name] as Json)["reference"]);
  }
});

test("what a payer modified is in an addItem in 2.2.1 and on the item in 2.0.1", async () => {
  const simulator = await aSimulator();
  const answerOf = async (version: Version) =>
    (await submit(simulator, aFirstBundle({ memberId: "M1-MOD", version }), version)).response;
  expect(await answerOf("2.2.1")).toMatchObject({ addItem: [{ itemSequence: [1] }, { itemSequence: [2] }] });
  const older = await answerOf("2.0.1");
  expect(older["addItem"]).toBeUndefined();
  expect(JSON.stringify(older["item"])).toContain("itemAuthorizedDetail");
});

test("an inquiry is answered by Parameters in 2.2.1 and by one Bundle in 2.0.1, with the newest version alone", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ name: "first", memberId: "M1-PEND" });
  await submit(simulator, first);
  await submit(simulator, anUpdateOf(first, addDocument, "second"));
  // The inquiry's own trace number finds nothing: the payer's record of the member is what is told.
  const about = (memberId: string) => aFirstBundle({ name: "inquiry-1", memberId });
  const { body } = await simulator.post("/fhir/Claim/$inquire", about("M1-PEND"));
  expect(body).toMatchObject({ resourceType: "Parameters", parameter: [{ name: "responseBundle" }] });
  const older = (await simulator.post("/fhir-2.0.1/Claim/$inquire", about("M1-PEND"))).body;
  expect(resourceIn(older, "ClaimResponse")).toMatchObject({ identifier: [{ value: "second" }] });
  const none = (await simulator.post("/fhir-2.0.1/Claim/$inquire", about("M2"))).body;
  expect(none).toMatchObject({ resourceType: "Bundle", entry: [{ resource: { resourceType: "OperationOutcome" } }] });
});

test("a rejected member is pointed at where it stands", async () => {
  const simulator = await aSimulator();
  const { response } = await submit(simulator, aFirstBundle({ memberId: "M1-AAA-C" }));
  expect(JSON.stringify(response["error"])).toContain("Bundle.entry[3].Coverage.subscriberId");
  const other = aFirstBundle({ memberId: "M1-DUP" });
  expect((await submit(simulator, other)).response).toMatchObject({ error: [{ code: { coding: [{ code: "91" }] } }] });
});
