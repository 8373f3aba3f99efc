import { describe, expect, test } from "vitest";
import type { PayerAnswer, Build } from "#lib/payer/connector";
import { serviceReview } from "#lib/payer/service-review/connector";
import type { FaultName } from "#simulator/faults";
import { aReview, aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { aSimulator } from "#test/support/payer/simulator";

describe("a fault", () => {
  const send = async (from: Build): Promise<PayerAnswer> =>
    (await serviceReview.send(serviceReview.build(from), transportTo(from.destination.url ?? ""))).answer;

  test.each<[FaultName, string, boolean]>([
    ["unauthorized", "accepted", true],
    ["token-expired", "accepted", true],
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
    ["unmarked", "unknown", true],
  ])("%s reads as %s and its request is taken: %s", async (fault, type, isTaken) => {
    const { url, control, ledger } = await aSimulator();
    await control("POST", "faults", { fault, mb: 6 });
    const from = aReviewBuild({ url });
    expect(await send(from)).toMatchObject({ type });
    expect(await ledger()).toHaveLength(isTaken ? 1 : 0);
    const { action: _, ...asking } = from;
    const about = { ...asking, sent: serviceReview.build(from), doubted: true };
    expect((await serviceReview.inquire(about, transportTo(url))).answer.type).toBe(isTaken ? "match" : "none");
  });

  test.each<[FaultName, string]>([
    ["wrong-id", "unknown"],
    ["wrong-trace", "unknown"],
    ["unmarked", "unknown"],
    ["html", "unknown"],
    ["drop", "unknown"],
    ["error-503", "unknown"],
    ["partial-units", "unclear"],
    ["other-procedure", "unknown"],
    ["brother", "unknown"],
    ["future-date", "unclear"],
    ["header-only", "unknown"],
  ])("%s on an inquiry moves nothing", async (fault, type) => {
    const { url, control } = await aSimulator();
    const from = aReviewBuild({ url, review: aReview({ subscriber: { memberId: "M1" } }) });
    const answer = await send(from);
    await control("POST", "clock", { forwardMs: 5_000 });
    await control("POST", "faults", { fault, on: "inquire" });
    const { action: _, ...asking } = from;
    const payerReference = answer.type === "accepted" ? answer.reference : undefined;
    const about = { ...asking, sent: serviceReview.build(from), payerReference };
    expect((await serviceReview.inquire(about, transportTo(url))).answer).toMatchObject({ type });
    expect((await serviceReview.inquire(about, transportTo(url))).answer).toMatchObject({ type: "match" });
  });

  test("at the token endpoint sends nothing", async () => {
    const { url, control, ledger } = await aSimulator();
    await control("POST", "faults", { fault: "unavailable", on: "token" });
    expect(await send(aReviewBuild({ url }))).toMatchObject({ type: "notSent", retryAfterMs: 2000 });
    expect(await ledger()).toEqual([]);
  });

  test("that is too slow leaves doubt that a search settles", async () => {
    const { url, control, ledger } = await aSimulator();
    await control("POST", "faults", { fault: "slow", ms: 600_000 });
    const from = aReviewBuild({ url });
    const hurry = new AbortController();
    const submission = serviceReview.send(serviceReview.build(from), transportTo(url, { signal: hurry.signal }));
    await expect.poll(ledger).toHaveLength(1);
    hurry.abort();
    expect((await submission).answer).toMatchObject({ type: "unknown" });
    const { action: _, ...asking } = from;
    const about = { ...asking, sent: serviceReview.build(from), doubted: true };
    expect((await serviceReview.inquire(about, transportTo(url))).answer).toMatchObject({
      type: "match",
    });
  });
});
