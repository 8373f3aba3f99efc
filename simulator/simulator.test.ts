import { mkdtempSync, rmSync, appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Build, Call } from "#lib/payer/connector";
import { documentDigest } from "#lib/payer/digest";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { noHurry } from "#test/support/payer/pas/listen";
import { aSimulator } from "#test/support/payer/simulator";
import type { FaultName } from "./faults.ts";

const transport = () => ({ credential: "right", signal: noHurry() });
const forMember = (url: string, memberId: string, members: Partial<Omit<Build, "destination">> = {}): Build =>
  aBuild({
    url: `${url}/fhir`,
    review: aReview({
      subscriber: { memberId },
      procedures: [{ code: "97110", quantity: 8, quantityTypeCode: "VS" }, { code: "97112" }],
    }),
    ...members,
  });
const send = async (from: Build) => (await pasFhir.send(pasFhir.build(from), transport())).answer;
const inquire = async (from: Build) =>
  (await pasFhir.inquire({ ...from, sent: pasFhir.build(from) }, transport())).answer;
const bodyOf = ([call]: readonly Call[]) => call?.body ?? new Uint8Array();

test.each<[string, object]>([
  ["M1", { type: "decided", determination: { outcome: "approved" } }],
  ["M1-DENY", { type: "decided", determination: { outcome: "denied" } }],
  ["M1-PEND", { type: "accepted" }],
  ["M1-PART", { type: "decided", determination: { outcome: "partially-approved" } }],
  ["M1-SPLIT", { type: "decided", determination: { outcome: "partially-approved" } }],
  [
    "M1-MOD",
    {
      type: "decided",
      determination: { outcome: "modified", lines: [{ authorized: { quantity: 4, unit: "VS" } }, {}] },
    },
  ],
  ["M1-NA", { type: "decided", determination: { outcome: "not-required" } }],
  ["M1-CT", { type: "contact-payer" }],
  ["M1-AAA-C", { type: "rejected", correction: "correctable" }],
  ["M1-AAA-N", { type: "rejected", correction: "final" }],
  ["M1-AAA-P", { type: "rejected", correction: "try-again" }],
  ["M1-AAA-Y", { type: "accepted" }],
  ["m1deny", { type: "decided", determination: { outcome: "denied" } }],
])("member %s is answered by its scenario", async (memberId, expected) => {
  const { url } = await aSimulator();
  expect(await send(forMember(url, memberId))).toMatchObject(expected);
});

test("the ledger holds the digest of the very bytes that were built, and counts what came again", async () => {
  const { url, ledger } = await aSimulator();
  const from = forMember(url, "M1");
  const first = await send(from);
  const again = await send(from);
  expect(again).toEqual(first);
  expect(await ledger()).toMatchObject([
    {
      method: "POST",
      path: "/fhir/Claim/$submit",
      sha256: documentDigest(bodyOf(pasFhir.build(from))),
      trace: `${from.taskId}-1-T`,
      memberId: "M1",
      state: "decided",
      times: 2,
    },
  ]);
});

test("the same identity with other bytes is a conflict, and the first stays", async () => {
  const { url, ledger } = await aSimulator();
  await send(forMember(url, "M1"));
  const later = forMember(url, "M1", { openedAt: new Date("2026-11-22T00:00:00Z") });
  expect(await send(later)).toMatchObject({ type: "unknown", reason: expect.stringContaining("409") });
  expect(await ledger()).toMatchObject([
    { times: 1, sha256: documentDigest(bodyOf(pasFhir.build(forMember(url, "M1")))) },
  ]);
});

test("what was rejected is no case, so a corrected request under the same identity is taken", async () => {
  const { url } = await aSimulator();
  await send(forMember(url, "M1-AAA-C"));
  expect(await inquire(forMember(url, "M1-AAA-C"))).toEqual({ type: "none" });
  expect(await send(forMember(url, "M1", { openedAt: new Date("2026-11-22T00:00:00Z") }))).toMatchObject({
    type: "decided",
  });
});

test("a payer that asked for the same again takes it the second time", async () => {
  const { url } = await aSimulator();
  await send(forMember(url, "M1-AAA-P"));
  expect(await send(forMember(url, "M1-AAA-P"))).toMatchObject({ type: "decided" });
});

test.each(["A1", "A2", "A3", "A6", "NA"])(
  "a pended case is decided through control as %s, and an inquiry sees it",
  async (action) => {
    const { url, control } = await aSimulator();
    const from = forMember(url, "M1-PEND");
    const pended = await send(from);
    const reference = pended.type === "accepted" ? pended.reference : undefined;
    expect(await inquire(from)).toMatchObject({ type: "match", answer: { type: "accepted", reference } });
    expect((await control("POST", "decide", { reference, action, note: "Reviewed." })).status).toBe(200);
    expect(await inquire({ ...from, payerReference: reference })).toMatchObject({
      type: "match",
      answer: { type: "decided", determination: { reference, notes: ["Reviewed."] } },
    });
  },
);

test("a pended case that is cancelled or wants a call says so", async () => {
  const { url, control } = await aSimulator();
  const from = forMember(url, "M1-PEND");
  await send(from);
  await control("POST", "decide", { trace: `${from.taskId}-1-T`, action: "CT" });
  expect(await inquire(from)).toMatchObject({ type: "match", answer: { type: "contact-payer" } });
  await control("POST", "decide", { trace: `${from.taskId}-1-T`, action: "C" });
  expect(await inquire(from)).toMatchObject({ type: "match", answer: { type: "cancelled" } });
});

test("an inquiry finds nothing that was not sent, and nothing of another member", async () => {
  const { url } = await aSimulator();
  expect(await inquire(forMember(url, "M1"))).toEqual({ type: "none" });
  await send(forMember(url, "M1"));
  expect(await inquire(forMember(url, "M2"))).toEqual({ type: "none" });
});

test("the clock the payer decides by can be set", async () => {
  const { url, control } = await aSimulator();
  await control("POST", "clock", { now: "2030-01-01T00:00:00Z" });
  expect(await send(forMember(url, "M1"))).toMatchObject({
    determination: { decidedAt: expect.stringMatching(/^2030-01-01T00:00:/) },
  });
});

test.each<[FaultName, string, boolean]>([
  ["unauthorized", "notSent", false],
  ["token-expired", "notSent", false],
  ["rate-limited", "notSent", false],
  ["unavailable", "unknown", false],
  ["broken", "unknown", false],
  ["invalid", "rejected", false],
  ["drop", "unknown", true],
  ["truncate", "unknown", true],
  ["error-500", "unknown", true],
  ["error-503", "unknown", true],
  ["html", "unknown", true],
  ["huge", "unknown", true],
  ["gzip-bomb", "unknown", true],
  ["wrong-id", "unknown", true],
  ["wrong-trace", "unknown", true],
  ["unmarked", "decided", true],
  ["live-marked", "unknown", true],
  ["partial-units", "unclear", true],
  ["other-procedure", "unknown", true],
  ["brother", "unknown", true],
  ["header-only", "decided", true],
  ["duplicate", "unknown", true],
  ["forbidden", "rejected", true],
])("the fault %s reads as %s and its request is taken: %s", async (fault, type, taken) => {
  const { url, control, ledger } = await aSimulator();
  await control("POST", "faults", { fault });
  const from = forMember(url, "M1");
  expect(await send(from)).toMatchObject({ type });
  expect(await ledger()).toHaveLength(taken ? 1 : 0);
  expect(await inquire(from)).toMatchObject({ type: taken ? "match" : "none" });
  expect(await send(from)).toMatchObject({ type: "decided" });
});

test("a reply that is too slow leaves doubt that an inquiry settles", async () => {
  const { url, control, ledger } = await aSimulator();
  await control("POST", "faults", { fault: "slow", ms: 600_000 });
  const from = forMember(url, "M1");
  const hurry = new AbortController();
  const submission = pasFhir.send(pasFhir.build(from), { credential: "right", signal: hurry.signal });
  await expect.poll(ledger).toHaveLength(1);
  hurry.abort();
  expect((await submission).answer).toMatchObject({ type: "unknown" });
  expect(await inquire(from)).toMatchObject({ type: "match" });
});

test("a fault may strike an inquiry, as often as planned", async () => {
  const { url, control } = await aSimulator();
  const from = forMember(url, "M1");
  await send(from);
  await control("POST", "faults", { fault: "error-500", on: "inquire", times: 2 });
  expect([await inquire(from), await inquire(from), await inquire(from)]).toMatchObject([
    { type: "unknown" },
    { type: "unknown" },
    { type: "match" },
  ]);
});

test("a restart keeps what was accepted, and a line cut short by a crash is not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.jsonl");
  const before = await aSimulator({ file });
  await send(forMember(before.url, "M1-PEND"));
  appendFileSync(file, '{"bundleId":"half');
  const after = await aSimulator({ file });
  expect(await after.ledger()).toEqual(await before.ledger());
  expect(await inquire(forMember(after.url, "M1-PEND"))).toMatchObject({ type: "match" });
  const calls = pasFhir.build(forMember(before.url, "M1-PEND"));
  await pasFhir.send(
    calls.map((call) => ({ ...call, url: call.url.replace(before.url, after.url) })),
    transport(),
  );
  expect(await (await aSimulator({ file })).ledger()).toMatchObject([{ times: 2 }]);
});

test.each<[string, RequestInit & { path?: string }, number]>([
  ["no credential", { headers: {} }, 401],
  ["a wrong credential", { headers: { Authorization: "Bearer wrong" } }, 401],
  [
    "another content type",
    { headers: { Authorization: "Bearer right", "Content-Type": "text/plain" }, body: "{}" },
    415,
  ],
  ["no JSON", { headers: { Authorization: "Bearer right", "Content-Type": "application/fhir+json" }, body: "{" }, 400],
  [
    "no PAS bundle",
    {
      headers: { Authorization: "Bearer right", "Content-Type": "application/fhir+json" },
      body: '{"resourceType":"Bundle"}',
    },
    422,
  ],
  ["another verb", { method: "PUT" }, 405],
  ["another address", { path: "/fhir/Patient" }, 404],
])(
  "%s is refused with an OperationOutcome that carries the test marker",
  async (_, { path = "/fhir/Claim/$submit", ...init }, status) => {
    const { url, ledger } = await aSimulator();
    const reply = await fetch(`${url}${path}`, { method: "POST", ...init });
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ resourceType: "OperationOutcome", meta: { tag: [{ code: "HTEST" }] } });
    expect(await ledger()).toEqual([]);
  },
);

test("it says what it is, and that it is well", async () => {
  const { url } = await aSimulator();
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
  expect(await (await fetch(`${url}/fhir/metadata`)).json()).toMatchObject({
    resourceType: "CapabilityStatement",
    fhirVersion: "4.0.1",
  });
});

test.each([
  ["decide", { trace: "x", action: "A1" }, 404],
  ["decide", { trace: "x", action: "A9" }, 400],
  ["decide", { action: "A1" }, 400],
  ["faults", { fault: "constructor" }, 400],
  ["faults", { fault: "drop", times: 0 }, 400],
  ["clock", { now: "soon" }, 400],
  ["nothing", {}, 404],
])("control %s with %j answers %i", async (path, body, status) => {
  const { control } = await aSimulator();
  expect((await control("POST", path, body)).status).toBe(status);
});

test("what is logged of a request names no member", async () => {
  const { url, seen } = await aSimulator();
  await send(forMember(url, "M1CANARY"));
  await expect.poll(() => seen).toHaveLength(1);
  expect(seen).toEqual([{ method: "POST", path: "/fhir/Claim/$submit", status: 200, ms: expect.any(Number) }]);
});
