import { afterAll, describe, expect, test } from "vitest";
import { documentDigest } from "#lib/payer/digest";
import { writePacket } from "#lib/payer/packet";
import { aHeldTask, aStore } from "#test/cases";
import { readReleasedPacket } from "./read-packet.ts";
import { recallRelease } from "./recall-release.ts";
import { releaseGate } from "./release-gate.ts";
import { beginSending, reportNotSent } from "./send-by-hand.ts";

const store = aStore();
afterAll(() => store.close());

async function aReleasedByHand() {
  const held = await aHeldTask(store, {
    review: { payer: { id: "60054" }, procedures: [{ code: "72148" }], providerNotes: [{ message: "one\n\ntwo" }] },
  });
  await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen });
  return { ...held, gateId: held.seen.gateId };
}

describe("the packet", () => {
  test("is the released bytes, laid out without another word", async () => {
    const { reviewer, taskId, record } = await aReleasedByHand();
    const packet = await readReleasedPacket(reviewer, { taskId });
    if (!packet.ok) throw new Error(packet.refusal.type);
    const { text, sections, gateDigest } = packet.value;
    expect([documentDigest(Buffer.from(text))]).toEqual(record.gate?.documentDigests);
    expect(gateDigest).toBe(record.gate?.digest);
    expect(sections && writePacket(sections)).toBe(text);
  });

  test("is not there before the release", async () => {
    const { reviewer, taskId } = await aHeldTask(store);
    expect(await readReleasedPacket(reviewer, { taskId })).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });

  test.each([
    ["a recall", recallRelease],
    [
      "a sending that failed",
      async (reviewer: Parameters<typeof beginSending>[0], at: { taskId: string; gateId: string }) => {
        await beginSending(reviewer, at);
        return reportNotSent(reviewer, { ...at, reason: "The fax line is down." });
      },
    ],
  ])("is gone after %s: what it showed may no longer leave", async (_, undo) => {
    const { reviewer, taskId, gateId } = await aReleasedByHand();
    expect(await undo(reviewer, { taskId, gateId })).toMatchObject({ ok: true });
    expect(await readReleasedPacket(reviewer, { taskId })).toMatchObject({ ok: false, refusal: { type: "stale" } });
  });
});
