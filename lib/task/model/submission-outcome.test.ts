import { describe, expect, test } from "vitest";
import { submissionOutcome } from "./submission-outcome.ts";
import type { Action, Gate, Motion, PayerFacts, Task } from "./task.ts";

const at = new Date("2026-11-20T12:00:00Z");
const gate: Gate = {
  ...{ id: "g", action: "transmit", update: false, byHand: false, revision: 1, digest: "aa" },
  ...{ openedAt: at, expiresAt: at },
};
const motions: Readonly<Record<Motion["kind"], Motion>> = {
  idle: { kind: "idle" },
  held: { kind: "held", gate },
  released: { kind: "released", gate, releasedAt: at, claimableAt: at, attempt: 1 },
  sending: { kind: "sending", gate, releasedAt: at, attempt: 1, started: true },
  unconfirmed: { kind: "unconfirmed", gate, releasedAt: at, attempt: 1 },
  ended: { kind: "ended", end: "failed" },
};
const after = (kind: Motion["kind"], payer: PayerFacts): Task => ({
  ...{ motion: motions[kind], payer, revision: 1, missing: [] },
});
const none: PayerFacts = { holds: "no" };
const has: PayerFacts = { holds: "yes" };
const voided = (by: "by-us" | "by-payer"): PayerFacts => ({ holds: "yes", voided: by });

describe("what a change tells of a sending", () => {
  test.each<[string, Action, Motion["kind"], Task, string | undefined, ReturnType<typeof submissionOutcome>]>([
    ["taken", "transmit", "sending", after("idle", has), "accepted", { left: true, result: "received" }],
    ["refused", "transmit", "sending", after("idle", none), "rejected", { left: true, result: "refused" }],
    ["refused for good", "transmit", "sending", after("ended", none), "rejected", { left: true, result: "refused" }],
    ["in doubt", "transmit", "sending", after("unconfirmed", none), "unknown", { left: true, result: "unconfirmed" }],
    ["certainly not sent", "transmit", "sending", after("released", none), "notSent", undefined],
    ["not sent, case voided", "transmit", "sending", after("idle", voided("by-payer")), "notSent", undefined],
    ["could not be sent", "transmit", "sending", after("held", none), undefined, undefined],
    ["still going", "transmit", "sending", after("sending", has), undefined, undefined],
    ["doubt settled", "transmit", "unconfirmed", after("idle", has), undefined, { left: false, result: "received" }],
    [
      "payer has none",
      "transmit",
      "unconfirmed",
      after("held", none),
      undefined,
      { left: false, result: "not-received" },
    ],
    ["doubt, yet proven", "transmit", "sending", after("idle", has), "unknown", { left: true, result: "received" }],
    [
      ...(["doubt, case voided", "transmit", "sending"] as const),
      ...([after("idle", voided("by-payer")), "unknown", { left: true, result: "unconfirmed" }] as const),
    ],
    ["void done", "void", "sending", after("idle", voided("by-us")), "cancelled", { left: true, result: "received" }],
    [
      ...(["void taken", "void", "sending"] as const),
      ...([after("idle", { ...has, voidPending: true }), "accepted", { left: true, result: "received" }] as const),
    ],
    ["void refused", "void", "sending", after("idle", has), "rejected", { left: true, result: "refused" }],
    ["void not there", "void", "unconfirmed", after("held", has), undefined, { left: false, result: "not-received" }],
    [
      "void overtaken",
      "void",
      "sending",
      after("idle", voided("by-payer")),
      "unknown",
      { left: true, result: "unconfirmed" },
    ],
    ["nothing under way", "transmit", "idle", after("idle", has), "accepted", undefined],
    ["at a gate", "transmit", "held", after("released", none), undefined, undefined],
  ])("%s", (_, action, motion, task, answer, told) => {
    expect(submissionOutcome({ motion, action, started: true }, task, answer)).toEqual(told);
  });

  test("nothing, while the first byte has not left", () => {
    expect(
      submissionOutcome({ motion: "sending", action: "transmit", started: false }, after("idle", has), "accepted"),
    ).toBe(undefined);
  });
});
