import { afterAll, describe, expect, test } from "vitest";
import { attentionOf, stateOf } from "#lib/task/model/task";
import { sealCalls } from "#lib/task/store/save-task";
import {
  actsOf,
  aHeldTask,
  anIntake,
  aRoute,
  aStore,
  aVoid,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import {
  anAnsweredTask,
  approved,
  aReleasedTask,
  aTransmittingTask,
  bytes,
  stateNow,
} from "#test/support/cases/sent-cases";
import { done } from "#test/support/people/admin";
import { adoptTask } from "#lib/task/adopt-task";
import { getTask } from "#lib/task/get-task";
import { recordAnswer } from "./record-answer.ts";
import { attend, recordDetermination, recordInformationRequest, recordVoidRefused } from "./record-payer-answer.ts";
import { recordInquiry } from "./record-inquiry.ts";
import { releaseGate } from "#lib/gate/release-gate";
import { rerouteTasks } from "./reroute-tasks.ts";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "./resolve-unconfirmed.ts";
import { claimTransmission, lapseTransmission, startTransmission } from "./transmission.ts";

const store = aStore();
const worker = theWorker(store);
afterAll(() => store.close());

describe("a claim", () => {
  test("by many workers at once has one holder, who gets exactly the bytes the gate showed", async () => {
    const { taskId, record } = await aReleasedTask(store);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimTransmission(worker, { taskId })));
    const held = claims.flatMap((claim) => (claim.ok && claim.value !== "held-again" ? [claim.value] : []));
    expect(held).toHaveLength(1);
    expect(held[0]?.calls).toHaveLength(record.gate?.documentDigests.length ?? -1);
    expect(claims.filter((claim) => !claim.ok).map((claim) => !claim.ok && claim.refusal.type)).toEqual(
      Array(7).fill("not-claimable"),
    );
  });

  test("within the recall window is refused", async () => {
    const { reviewer, taskId, seen } = await aHeldTask(store, { routed: true, review: fullReview, recallWindowS: 600 });
    await releaseGate(reviewer, { taskId, seen });
    expect(await claimTransmission(worker, { taskId })).toMatchObject({
      ok: false,
      refusal: { type: "not-claimable" },
    });
  });

  test.each([
    [
      "the practice was suspended",
      async ({ practiceId }: { practiceId: string }) =>
        void (await store.prisma.practice.update({ where: { id: practiceId }, data: { status: "suspended" } })),
    ],
    ["the route changed", ({ practiceId }: { practiceId: string }) => aRoute(store, { practiceId, version: 2 })],
    [
      "the release is a day old",
      async ({ taskId }: { taskId: string }) =>
        void (await store.prisma.transmission.updateMany({
          where: { taskId },
          data: { releasedAt: new Date(Date.now() - 25 * 3600_000) },
        })),
    ],
  ])("after %s holds the action again and sends nothing", async (_, happen) => {
    const released = await aReleasedTask(store);
    await happen(released);
    expect(await claimTransmission(worker, { taskId: released.taskId })).toEqual({ ok: true, value: "held-again" });
    const gates = await store.prisma.gate.findMany({
      where: { taskId: released.taskId },
      orderBy: { openedAt: "asc" },
    });
    expect(gates.map(({ status }) => status)).toEqual(["superseded", "open"]);
    expect(await actsOf(store, released.taskId)).toContain("gate.re-held");
  });

  test("after the channel's last key was revoked holds it until a reviewer adopts the task", async () => {
    const { channel, reviewer, taskId } = await aReleasedTask(store);
    await store.prisma.channelKey.updateMany({
      where: { channelId: channel.actor.id },
      data: { revokedAt: new Date() },
    });
    await claimTransmission(worker, { taskId });
    const view = await reviewTask(reviewer, { taskId });
    if (!view.ok || !view.value.gate) throw new Error("The case has a gate again.");
    const seen = { gateId: view.value.gate.id, revision: view.value.gate.revision, digest: view.value.gate.digest };
    expect(view.value).toMatchObject({
      attention: "channel-revoked",
      can: ["adopt", "decline", "request-information", "edit"],
    });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({
      ok: false,
      refusal: { type: "needs-adoption" },
    });
    await adoptTask(reviewer, { taskId });
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: true });
    expect(await claimTransmission(worker, { taskId })).toMatchObject({ ok: true, value: { attempt: 1 } });
  });

  test("of another gate's bytes does not open, and sends nothing", async () => {
    const { taskId, seen } = await aReleasedTask(store);
    const other = await aHeldTask(store);
    const { calls } = await store.prisma.gate.findUniqueOrThrow({ where: { id: other.seen.gateId } });
    await store.prisma.gate.update({ where: { id: seen.gateId }, data: { calls } });
    await expect(claimTransmission(worker, { taskId })).rejects.toThrow("unable to authenticate");
    expect(await actsOf(store, taskId)).not.toContain("transmission.claimed");
  });

  test("of bytes the released digest does not name is a bug that sends nothing", async () => {
    const { taskId, practiceId, seen } = await aReleasedTask(store);
    const call = { method: "POST", url: "http://127.0.0.1:9/fhir", contentType: "application/fhir+json", body: bytes };
    const calls = sealCalls(store, { id: seen.gateId, calls: [call] }, practiceId);
    await store.prisma.gate.update({ where: { id: seen.gateId }, data: { calls } });
    await expect(claimTransmission(worker, { taskId })).rejects.toThrow("the released digest names");
    expect(await actsOf(store, taskId)).not.toContain("transmission.claimed");
  });
});

describe("an answer", () => {
  test.each([
    ["accepted", { type: "accepted", reference: "REF-1" }, "transmitted"],
    ["decided", { type: "decided", determination: approved }, "determined"],
    ["rejected as correctable", { type: "rejected", correction: "correctable", reason: "AAA 72" }, "needs-information"],
    ["rejected for good", { type: "rejected", correction: "final", reason: "AAA 95" }, "failed"],
    ["to try again", { type: "rejected", correction: "try-again", reason: "AAA 42" }, "transmit-released"],
    ["not sent", { type: "notSent", reason: "refused" }, "transmit-released"],
    ["unknown", { type: "unknown", reason: "no reply" }, "transmit-unconfirmed"],
    ["contact the payer", { type: "contact-payer", text: "call" }, "transmitted"],
    ["cancelled", { type: "cancelled" }, "voided"],
  ] as const)("%s leads to its state", async (_, answer, state) => {
    const { taskId, channel } = await anAnsweredTask(store, answer);
    expect(await stateNow(taskId, { channel })).toBe(state);
  });

  test("decided carries the payer's determination to the agent", async () => {
    const { taskId, channel } = await anAnsweredTask(store, { type: "decided", determination: approved });
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read).toMatchObject({
      ok: true,
      value: { determination: { outcome: "approved", authorizationNumber: "AUTH-1", source: "connector" } },
    });
  });

  test("of an attempt another has followed is not heard", async () => {
    const { taskId, channel, claim } = await aTransmittingTask(store);
    await store.prisma.transmission.update({
      where: { gateId: claim.gateId },
      data: { leaseUntil: new Date(0), startedAt: null },
    });
    await lapseTransmission(worker, { taskId });
    await claimTransmission(worker, { taskId });
    const late = await recordAnswer(worker, {
      taskId,
      attempt: claim.attempt,
      response: { answer: { type: "accepted" }, bytes },
    });
    expect(late).toMatchObject({ ok: false, refusal: { type: "attempt-superseded" } });
    expect(await stateNow(taskId, { channel })).toBe("transmitting");
  });
});

describe("a worker that died", () => {
  test("before anything left is replaced, and the same release goes out once", async () => {
    const { taskId, channel } = await aReleasedTask(store);
    const claimed = await claimTransmission(worker, { taskId });
    await store.prisma.transmission.updateMany({ where: { taskId }, data: { leaseUntil: new Date(0) } });
    await lapseTransmission(worker, { taskId });
    expect(await stateNow(taskId, { channel })).toBe("transmit-released");
    const stale = claimed.ok && claimed.value !== "held-again" ? claimed.value : { taskId, attempt: 1 };
    expect(await startTransmission(worker, stale)).toMatchObject({ ok: false });
    expect(await claimTransmission(worker, { taskId })).toMatchObject({ ok: true, value: { attempt: 2 } });
  });

  test("while sending leaves a doubt that only a match or a person resolves; nothing is sent again by itself", async () => {
    const { taskId, channel, reviewer, claim } = await aTransmittingTask(store);
    await store.prisma.transmission.updateMany({ where: { taskId }, data: { leaseUntil: new Date(0) } });
    await lapseTransmission(worker, { taskId });
    expect(await stateNow(taskId, { channel })).toBe("transmit-unconfirmed");
    await recordInquiry(worker, { taskId, response: { answer: { type: "none" }, bytes } });
    expect(await stateNow(taskId, { channel })).toBe("transmit-unconfirmed");
    expect(await claimTransmission(worker, { taskId })).toMatchObject({ ok: false });
    await resolveUnconfirmed(reviewer, {
      taskId,
      gateId: claim.gateId,
      payerHas: false,
      inquiry: { whom: "Lee", by: "phone", at: new Date() },
    });
    expect(await stateNow(taskId, { channel })).toBe("transmit-held");
  });
});

describe("an inquiry", () => {
  test("that matches settles the doubt and carries the decision", async () => {
    const { taskId, channel } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    const answer = { type: "match", answer: { type: "decided", determination: approved } } as const;
    await recordInquiry(worker, { taskId, response: { answer, bytes } });
    expect(await stateNow(taskId, { channel })).toBe("determined");
  });

  test("that is not understood moves nothing and asks for a person", async () => {
    const { taskId, channel } = await anAnsweredTask(store, { type: "accepted" });
    await recordInquiry(worker, { taskId, response: { answer: { type: "unknown", reason: "no Bundle" }, bytes } });
    const read = await getTask(channel, { taskId, historyLength: 0 });
    expect(read.ok && [stateOf(read.value.task), attentionOf(read.value.task)]).toEqual([
      "transmitted",
      "unreadable-answer",
    ]);
  });

  test("that says the same twice is recorded once", async () => {
    const { taskId } = await anAnsweredTask(store, { type: "accepted" });
    const answer = { type: "match", answer: { type: "contact-payer", text: "call" } } as const;
    await recordInquiry(worker, { taskId, response: { answer, bytes } });
    await recordInquiry(worker, { taskId, response: { answer, bytes } });
    expect((await actsOf(store, taskId)).filter((act) => act === "payer.requested-contact")).toHaveLength(1);
  });
});

test("what asks for a person is marked as handled only as it was shown", async () => {
  const { reviewer, taskId } = await anAnsweredTask(store, { type: "contact-payer", text: "Call us." });
  const { changedAt } = await done(reviewTask(reviewer, { taskId }));
  const again = { type: "contact-payer", text: "Call us about the imaging." } as const;
  await recordInquiry(worker, { taskId, response: { answer: { type: "match", answer: again }, bytes } });
  const shown = { taskId, changedAt: changedAt.toISOString() };
  expect(await attend(reviewer, shown)).toMatchObject({ refusal: { type: "changed" } });
  const now = await done(reviewTask(reviewer, { taskId }));
  expect(now.attention).toBe("contact-payer");
  await done(attend(reviewer, { taskId, changedAt: now.changedAt.toISOString() }));
  expect((await done(reviewTask(reviewer, { taskId }))).attention).toBeUndefined();
});

test("a payer's refusal of a void is recorded only of the void that was shown", async () => {
  const { reviewer, channel, practiceId, taskId } = await anAnsweredTask(store, { type: "accepted" });
  const shown = (await done(reviewTask(reviewer, { taskId }))).gate?.id;
  const requested = await done(sendMessage(channel, aVoid({ practiceId, taskId })));
  await releaseGate(reviewer, { taskId, seen: seenOn(requested) });
  const claim = await done(claimTransmission(worker, { taskId }));
  const attempt = claim === "held-again" ? 0 : claim.attempt;
  await startTransmission(worker, { taskId, attempt });
  await recordAnswer(worker, { taskId, attempt, response: { answer: { type: "accepted" }, bytes } });
  const reason = "Too late.";
  expect(await recordVoidRefused(reviewer, { taskId, gateId: shown, reason })).toMatchObject({
    refusal: { type: "changed" },
  });
  const gateId = (await done(reviewTask(reviewer, { taskId }))).gate?.id;
  await done(recordVoidRefused(reviewer, { taskId, gateId, reason }));
});

test("an update the payer asked for is held as one, and a determination that comes first supersedes it", async () => {
  const { practiceId, channel, reviewer, taskId } = await anAnsweredTask(store, { type: "accepted" });
  await recordInformationRequest(reviewer, { taskId, informationRequest: "The imaging report." });
  expect(await stateNow(taskId, { channel })).toBe("payer-needs-information");
  await sendMessage(
    channel,
    anIntake({ practiceId, taskId, review: { ...fullReview, providerNotes: [{ message: "Report attached." }] } }),
  );
  const gate = await store.prisma.gate.findFirst({ where: { taskId, status: "open" } });
  expect(gate).toMatchObject({ isUpdate: true, isManual: false, revision: 2 });
  await recordDetermination(reviewer, { taskId, outcome: "approved", evidence: "Portal" });
  expect(await stateNow(taskId, { channel })).toBe("determined");
  expect(await store.prisma.gate.count({ where: { taskId, status: "open" } })).toBe(0);
});

test("a case of which something does not open keeps no other from the changed route", async () => {
  const held = await aHeldTask(store, { routed: true, review: fullReview });
  const send = async () => {
    const sent = await sendMessage(held.channel, anIntake({ practiceId: held.practiceId, review: fullReview }));
    if (!sent.ok) throw new Error("The intake was refused.");
    return sent.value.id;
  };
  const others = [held.taskId, await send(), await send()].sort();
  const serviceReview = Buffer.from([9, 9]);
  await store.prisma.revision.updateMany({ where: { taskId: others[0] ?? "" }, data: { serviceReview } });
  await aRoute(store, { practiceId: held.practiceId, version: 2, url: "http://127.0.0.1:9/other" });
  expect(await rerouteTasks(worker, { practiceId: held.practiceId, payerId: "87042" })).toBe(2);
});

test("a changed route supersedes every open gate and unclaimed release on it", async () => {
  const held = await aHeldTask(store, { routed: true, review: fullReview });
  const second = await sendMessage(held.channel, anIntake({ practiceId: held.practiceId, review: fullReview }));
  if (!second.ok) throw new Error("The intake was refused.");
  await releaseGate(held.reviewer, { taskId: second.value.id, seen: seenOn(second.value) });
  await aRoute(store, { practiceId: held.practiceId, version: 2, url: "http://127.0.0.1:9/other" });
  expect(await rerouteTasks(worker, { practiceId: held.practiceId, payerId: "87042" })).toBe(2);
  expect(await stateNow(second.value.id, held)).toBe("transmit-held");
  expect(await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen })).toMatchObject({ ok: false });
});
