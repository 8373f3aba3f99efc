import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { Build } from "#lib/payer/connector";
import { createPayer, type Payer } from "#simulator/core/payer";
import { submit } from "#simulator/pas/operations";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { noHurry } from "#test/support/payer/pas/listen";
import { updateOf, voidOf } from "#test/support/payer/pas/history";
import { anAttachment, attachments, completeReviews, fullReview } from "#test/support/payer/pas/reviews";
import { aSimulator } from "#test/support/payer/simulator";
import { build } from "./build.ts";
import { check } from "./check.ts";
import { pasFhir } from "./connector.ts";

const versions = ["2.2.1", "2.0.1"] as const;
type Version = (typeof versions)[number];

const bases = { "2.2.1": "fhir", "2.0.1": "fhir-2.0.1" } as const;

/** What the strict payer has against an action; nothing where it takes it. */
function objections(payer: Payer, version: Version, from: Build): readonly unknown[] {
  return build(from).flatMap(({ body }) => {
    const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const sha256 = createHash("sha256").update(body).digest("hex");
    const answer = submit(payer, { value, sha256, version });
    return answer.status === 200 ? [] : [answer.body];
  });
}

describe.each(versions)("a strict payer of PAS %s", (version) => {
  const of = (review: ServiceReview) => ({ ...review, subscriber: { ...review.subscriber, memberId: "M1000" } });

  test("takes the smallest and the fullest request, updates between them, and their end", () => {
    for (const [first, second] of [
      [aReview(), fullReview],
      [fullReview, of(aReview())],
    ] as const) {
      const payer = createPayer();
      const from = aBuild({ settings: { version }, review: of(first), attachments: [anAttachment("one")] });
      const files = [anAttachment("one"), anAttachment("two", 2)];
      const update = updateOf(from, { review: of(second), attachments: files });
      const again = updateOf(update, { review: of(first), attachments: files.slice(1) });
      const steps = [from, update, again, voidOf(again)];
      expect(steps.flatMap((step) => objections(payer, version, step))).toEqual([]);
      expect(payer.cases()).toMatchObject([{ state: "voided" }]);
    }
  });

  test("takes any three versions of a request after one another, and its end", () => {
    const three = fc.tuple(completeReviews, completeReviews, completeReviews);
    fc.assert(
      fc.property(three, fc.tuple(attachments, attachments, attachments), (reviews, files) => {
        fc.pre(reviews.every((review) => check(review).length === 0));
        const payer = createPayer();
        const [first, second, third] = reviews.map(of);
        const from = aBuild({ settings: { version }, ...(first && { review: first }), attachments: files[0] });
        const update = updateOf(from, { ...(second && { review: second }), attachments: files[1] });
        const again = updateOf(update, { ...(third && { review: third }), attachments: files[2] });
        const steps = [from, update, again, voidOf(again)];
        expect(steps.flatMap((step) => objections(payer, version, step))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test("is heard over HTTP: a request, the update it asked for, and the end", async () => {
    const simulator = await aSimulator();
    const url = `${simulator.url}/${bases[version]}`;
    const review = aReview({ subscriber: { memberId: "M1-DOCS" } });
    const first = aBuild({ url, settings: { version }, review });
    const hear = async (from: Build) =>
      (await pasFhir.send(pasFhir.build(from), { credential: "right", signal: noHurry() })).answer;
    const pended = await hear(first);
    expect(pended).toMatchObject({ type: "accepted", informationRequest: { items: [{ kind: "document" }, {}] } });
    const update = updateOf(first, { attachments: [anAttachment("the note", 2)] });
    expect(await hear(update)).toMatchObject({ type: "decided", determination: { outcome: "approved" } });
    expect(await hear(voidOf(update))).toMatchObject({ type: "cancelled" });
    expect(await simulator.ledger()).toMatchObject([
      { kind: "request", times: 1 },
      { kind: "update", times: 1, attachments: [{ contentType: "text/plain", bytes: 8 }] },
      { kind: "void", times: 1, state: "voided" },
    ]);
  });

  test("decides the items that are still asked, and says of the others that they are cancelled", async () => {
    const simulator = await aSimulator();
    const review = aReview({ procedures: [{ code: "97110" }, { code: "97112" }] });
    const first = aBuild({ url: `${simulator.url}/${bases[version]}`, settings: { version }, review });
    const update = updateOf(first, { review: aReview({ procedures: [{ code: "97112" }] }) });
    await pasFhir.send(pasFhir.build(first), { credential: "right", signal: noHurry() });
    const { answer } = await pasFhir.send(pasFhir.build(update), { credential: "right", signal: noHurry() });
    expect(answer).toMatchObject({ type: "decided", determination: { outcome: "approved" } });
  });
});
