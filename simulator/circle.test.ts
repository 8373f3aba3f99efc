import { expect, test } from "vitest";
import type { Build } from "#lib/payer/connector";
import { build } from "#lib/payer/pas-fhir/build";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { updateOf, voidOf } from "#test/support/payer/pas/history";
import { noHurry } from "#test/support/payer/pas/listen";
import { anAttachment } from "#test/support/payer/pas/reviews";
import { aSimulator } from "#test/support/payer/simulator";

const bases = { "2.2.1": "/fhir", "2.0.1": "/fhir-2.0.1" } as const;
const versions = ["2.2.1", "2.0.1"] as const;
type Version = (typeof versions)[number];

const aCase = (url: string, version: Version, memberId: string): Build =>
  aBuild({
    url: `${url}${bases[version]}`,
    settings: { version },
    review: aReview({
      subscriber: { memberId },
      procedures: [{ code: "97110", quantity: 8, quantityTypeCode: "VS" }, { code: "97112" }],
    }),
  });

const send = async (from: Build) =>
  (await pasFhir.send(build(from), { credential: "right", route: from.destination, signal: noHurry() })).answer;

test.each(versions)("PAS %s: documents wanted, brought, modified, and taken back by the connector", async (version) => {
  const simulator = await aSimulator();
  const first = aCase(simulator.url, version, "M1-DOCS-A6-VOID-LATER");
  expect(await send(first)).toMatchObject({ type: "accepted", informationRequest: expect.anything() });
  const update = updateOf(first, { attachments: [anAttachment("note", 1)] });
  expect(await send(update)).toMatchObject({
    type: "decided",
    determination: { outcome: "modified", lines: [{ authorized: { quantity: 4 } }, {}] },
  });
  const theVoid = voidOf(update);
  expect(await send(theVoid)).toMatchObject({ type: "accepted" });
  await simulator.control("POST", "clock", { forwardMs: 61_000 });
  expect(await send(theVoid)).toMatchObject({ type: "cancelled" });
  expect(await simulator.ledger()).toMatchObject([
    { kind: "request", state: "voided", attachments: [] },
    { kind: "update", attachments: [{ sha256: expect.any(String) }] },
    { kind: "void", actions: ["C", "C"] },
  ]);
});

test.each(versions)("PAS %s: a refused update and a refused void are told from taken ones", async (version) => {
  const { url } = await aSimulator();
  const first = aCase(url, version, "M1-PEND-UPD-NO-VOID-NO");
  await send(first);
  expect(await send(updateOf(first, { attachments: [anAttachment("note", 1)] }))).toMatchObject({ type: "rejected" });
  expect(await send(voidOf(first))).toMatchObject({ type: "rejected" });
});
