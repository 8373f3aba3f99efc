import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event } from "./lifecycle/event.ts";
import type { PayerFacts } from "./task.ts";
import { timesAfter, type LearnedTimes, type Times } from "./times.ts";

const t = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
const none = { payerReceipt: "no" } as const;
const gateId = "g";
const has: readonly Event[] = [{ type: "transmission.received", gateId, left: false }];
const doubt: readonly Event[] = [
  {
    ...{ type: "transmission.unconfirmed", gateId, releasedAt: t(0), attempt: 1, reason: "", left: true },
    payerReceipt: "maybe",
  },
];
const refusal: readonly Event[] = [
  { type: "transmission.refused", gateId, left: true, reason: "", ends: false, payerReceipt: "no" },
];
const decidedAt = (at?: Date): readonly Event[] => [
  {
    type: "payer.decided",
    counts: true,
    payerReceipt: "yes",
    determination: { id: "d", outcome: "denied", decidedAt: at },
  },
];

describe("the times of a case", () => {
  test("begin with the sending, and with the receipt when we heard of it", () => {
    expect(timesAfter(none, has, { now: t(2), leftAt: t(1) })).toEqual({
      sentAt: t(1),
      received: { at: t(2), by: "service" },
    });
  });

  test.each([
    ["as the payer says", t(3), t(3)],
    ["no later than now", t(9), t(5)],
    ["no earlier than the sending", t(0), t(1)],
  ])("take the receipt %s", (_, facts, kept) => {
    const after = timesAfter(none, has, { now: t(5), leftAt: t(1), received: { at: facts, by: "payer" } });
    expect(after.received).toEqual({ at: kept, by: "payer" });
  });

  test("know a sending in doubt, and no receipt of it", () => {
    const doubted = timesAfter(none, doubt, { now: t(2), leftAt: t(1) });
    expect(doubted).toEqual({ sentAt: t(1) });
    const settled = timesAfter({ ...doubted, payerReceipt: "maybe" }, has, { now: t(9) });
    expect(settled).toEqual({ sentAt: t(1), received: { at: t(9), by: "service" } });
  });

  test("keep the first receipt through an update and what is said of it, a doubted void and a later word of a person", () => {
    const first = { sentAt: t(1), received: { at: t(2), by: "service" } } as const;
    const before = { ...first, payerReceipt: "yes" } as const;
    expect(timesAfter(before, has, { now: t(20), leftAt: t(19) })).toEqual(first);
    expect(timesAfter(before, doubt, { now: t(20), leftAt: t(19) })).toEqual(first);
    expect(timesAfter(before, has, { now: t(20), received: { at: t(1), by: "person" } })).toEqual(first);
    const ofUpdate = { at: t(20), by: "payer" } as const;
    expect(timesAfter(before, has, { now: t(20), leftAt: t(19), received: ofUpdate })).toEqual(first);
  });

  test("let the payer's own word improve on ours, once", () => {
    const before = { sentAt: t(1), received: { at: t(4), by: "service" }, payerReceipt: "yes" } as const;
    const after = timesAfter(before, has, { now: t(20), received: { at: t(3), by: "payer" } });
    expect(after.received).toEqual({ at: t(3), by: "payer" });
    const again = timesAfter({ ...after, payerReceipt: "yes" }, has, {
      now: t(21),
      received: { at: t(2), by: "payer" },
    });
    expect(again.received).toEqual({ at: t(3), by: "payer" });
  });

  test("forget the receipt of what the payer refused, and begin anew with what is sent next", () => {
    const refused = timesAfter(none, refusal, { now: t(2), leftAt: t(1) });
    expect(refused).toEqual({ sentAt: t(1) });
    expect(timesAfter({ ...refused, payerReceipt: "no" }, has, { now: t(9), leftAt: t(8) })).toEqual({
      sentAt: t(8),
      received: { at: t(9), by: "service" },
    });
  });

  test.each([
    ["by the payer's clock", decidedAt(t(6)), t(6)],
    ["now where the payer told none", decidedAt(), t(8)],
    ["no later than now", decidedAt(t(30)), t(8)],
  ])("take the decision %s, and keep the first", (_, decision, kept) => {
    const before = { received: { at: t(2), by: "payer" }, payerReceipt: "yes" } as const;
    const after = timesAfter(before, decision, { now: t(8) });
    expect(after.decidedAt).toEqual(kept);
    expect(timesAfter({ ...after, payerReceipt: "yes" }, decidedAt(t(10)), { now: t(11) }).decidedAt).toEqual(kept);
  });

  test("keep when it was voided", () => {
    const voided: readonly Event[] = [{ type: "payer.voided", counts: true, voided: "by-us" }];
    const after = timesAfter({ payerReceipt: "yes" }, voided, { now: t(3) });
    expect(after.voidedAt).toEqual(t(3));
    expect(timesAfter({ ...after, payerReceipt: "yes" }, voided, { now: t(5) }).voidedAt).toEqual(t(3));
  });

  test("are in order and none is in the future, whatever is told in whatever order", () => {
    const minute = fc.integer({ min: -500, max: 500 }).map(t);
    const change = fc.record({
      payerReceipt: fc.constantFrom("no", "maybe", "yes"),
      decided: fc.option(minute, { nil: undefined }),
      leftAgo: fc.option(fc.nat(30), { nil: undefined }),
      received: fc.option(fc.record({ at: minute, by: fc.constantFrom("payer", "person") }), { nil: undefined }),
      wait: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let times: Times = {};
        let payerReceipt: PayerFacts["payerReceipt"] = "no";
        let now = t(0);
        for (const each of changes) {
          now = new Date(now.getTime() + each.wait * 60_000);
          const leftAt = each.leftAgo === undefined ? undefined : new Date(now.getTime() - each.leftAgo * 1000);
          const facts = { no: refusal, maybe: doubt, yes: has }[each.payerReceipt];
          const after = each.payerReceipt === "yes" ? [...facts, ...decidedAt(each.decided)] : facts;
          const learned: LearnedTimes = { now, leftAt, received: each.received };
          times = timesAfter({ ...times, payerReceipt }, after, learned);
          payerReceipt = each.payerReceipt;
          const { sentAt, received, decidedAt: decided } = times;
          for (const at of [sentAt, received?.at, decided]) expect(at === undefined || at <= now).toBe(true);
          if (payerReceipt === "yes") expect(received).toBeDefined();
          if (payerReceipt === "no") expect(received).toBeUndefined();
        }
      }),
    );
  });
});
