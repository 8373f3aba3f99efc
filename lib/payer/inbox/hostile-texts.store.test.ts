import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { aStore, theWorker } from "#test/support/cases/cases";
import { replyAs } from "#test/support/payer/pas/push";
import { responseIn, type Json } from "#test/support/payer/pas/reply";
import { aPayersDoor } from "#test/support/payer/payers-door";
import { aPushFront } from "#test/support/payer/push-front";
import { aTransmittingTask, stateNow } from "#test/support/cases/sent-cases";
import { answerOf } from "#lib/payer/pas-fhir/answer";
import { readFrozenRequest } from "#lib/payer/pas-fhir/frozen-request";
import { assert } from "#lib/platform/result";
import { recordAnswer } from "#lib/submission/record-answer";

const store = aStore();
const worker = theWorker(store);
const base = aPushFront({ store, log: edgeDeps().log });
const { aPendedTask, hearAll, sentCall } = aPayersDoor(store, base);
afterAll(() => store.close());

/** What no column of text or no index takes as it is. */
const nasty = [
  ["holds a NUL", "REF\u00001"],
  ["is 4,000 characters long", randomBytes(2_000).toString("hex")],
  ["holds half of a character", "REF-\ud800"],
] as const;

test.each(nasty)("a notification whose reference %s is kept and never stops those after it", async (_, reference) => {
  const { taskId, say, channel } = await aPendedTask();
  await say("A1", "2026-12-02T10:00:00Z", (reply) => void (responseIn(reply)["preAuthRef"] = reference));
  await hearAll(taskId);
  await say("A1", "2026-12-02T10:00:01Z");
  await hearAll(taskId);
  expect(await stateNow(taskId, { channel })).toBe("determined");
});

/** What a payer's server makes of this reply, recorded as the answer to a submission; the state of the case after it. */
async function stateAfter(action: string, change: (response: Json) => void) {
  const { taskId, claim, channel } = await aTransmittingTask(store);
  const call = await sentCall(taskId);
  const reply = replyAs(call, action, "2026-12-02T10:00:00Z");
  change(responseIn(reply));
  const bytes = Buffer.from(JSON.stringify(reply));
  const sent = readFrozenRequest(call);
  assert(sent, "PAS froze it");
  const exchange = { kind: "reply", status: 200, contentType: "application/fhir+json", headers: {}, bytes } as const;
  const answer = answerOf(sent, { ...exchange, retryAfterMs: undefined });
  const recorded = await recordAnswer(worker, { taskId, attempt: claim.attempt, response: { answer, bytes } });
  expect(recorded).toMatchObject({ ok: true });
  return stateNow(taskId, { channel });
}

test.each(nasty)("an answer whose reference %s is recorded", async (_, reference) => {
  const state = await stateAfter("A4", (response) => void (response["preAuthRef"] = reference));
  expect(["transmitted", "transmit-unconfirmed"]).toContain(state);
});

test.each(["A1", "A3", "A4"])("an answer of %s of a year that no calendar has is recorded", async (action) => {
  const state = await stateAfter(action, (response) => void (response["created"] = "0000-01-01T00:00:00Z"));
  expect(state).toBe(action === "A4" ? "transmitted" : "determined");
});

test("an answer that changes what is authorized to end in such a year is recorded", async () => {
  const state = await stateAfter("A6", (response) => {
    const servicedPeriod = { start: "0000-01-01", end: "0000-01-01" };
    response["addItem"] = [{ itemSequence: [1], quantity: { value: 1 }, servicedPeriod }];
  });
  expect(["transmitted", "determined"]).toContain(state);
});
