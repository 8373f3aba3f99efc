import { afterAll, describe, expect, test } from "vitest";
import { taskView } from "#lib/a2a/reply/task-view";
import { declineGate } from "#lib/gate/decline-gate";
import { releaseGate } from "#lib/gate/release-gate";
import { listQueue } from "#lib/queue/list-queue";
import { getTask } from "#lib/task/get-task";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { replayTasks } from "#lib/task/shared/replayed-tasks";
import { done } from "#test/support/people/admin";
import { aStore, anIntake, fullReview, seenOn } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { anAnsweredTask, approved, denied } from "#test/support/cases/sent-cases";
import { acceptDetermination, recordAppealTerms, recordPeerToPeer } from "./contest-determination.ts";
import { reportSent, startManualSubmission } from "./manual-submission.ts";
import { readReleasedPacket } from "./read-packet.ts";
import { recordDetermination } from "./record-payer-answer.ts";

const store = aStore();
afterAll(() => store.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

const aDenial = () => anAnsweredTask(store, { type: "decided", determination: denied });
type Denial = Awaited<ReturnType<typeof aDenial>>;

const appeal = { type: "reconsideration", reason: "Six weeks of therapy failed; see the therapist's report." };
const report = () => aReceivedFile(aPdf("Therapy report"), "application/pdf");

async function contested({ channel, practiceId, taskId }: Denial) {
  const review = { ...fullReview, appeal };
  return done(sendMessage(channel, anIntake({ practiceId, taskId, review, files: [report()] })));
}

async function wireOf({ channel, taskId }: Denial) {
  return taskView(await done(getTask(channel, { taskId, historyLength: 0 })));
}

const inView = async ({ reviewer }: Denial) =>
  (await listQueue(reviewer, { view: "denied", sort: "due", filters: {} })).rows;

describe("after a denial", () => {
  test("the agent reads the payer's words and codes, what it may do and until when", async () => {
    const denial = await aDenial();
    expect(await wireOf(denial)).toMatchObject({
      state: "determined",
      status: { state: "completed" },
      nextAction: { by: "agent", what: expect.stringContaining("serviceReview.appeal"), until: undefined },
      determination: { notes: denied.notes, lines: [{ reasons: [{ code: "0F" }] }] },
      recourse: { open: true },
    });
    const { reviewer, taskId } = denial;
    await done(recordAppealTerms(reviewer, { taskId, by: "2099-01-31", how: "Fax 605-555-0100.", evidence: "Page 2" }));
    const view = await wireOf(denial);
    expect(view).toMatchObject({
      nextAction: { by: "agent", until: "2099-01-31" },
      recourse: { open: true, appealBy: "2099-01-31", howToAppeal: "Fax 605-555-0100." },
    });
    expect(view.status.message.parts[0]).toMatchObject({ text: expect.stringContaining("2099-01-31") });
  });

  test("the case is in the view of denials until the practice accepts or contests it", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    expect(await inView(denial)).toMatchObject([{ taskId, actBy: undefined }]);
    await done(recordAppealTerms(reviewer, { taskId, by: "2099-01-31", evidence: "Page 2" }));
    const [row] = await inView(denial);
    expect(row?.actBy?.toISOString()).toMatch(/^2099-02-01T/);
    await done(acceptDetermination(reviewer, { taskId, reason: "Another treatment." }));
    expect(await inView(denial)).toEqual([]);
    expect((await wireOf(denial)).nextAction).toMatchObject({ by: "none" });
    // Whatever is recorded later opens it again.
    await done(recordPeerToPeer(reviewer, { taskId, status: "requested" }));
    expect(await inView(denial)).toHaveLength(1);
    await contested(denial);
    expect(await inView(denial)).toEqual([]);
  });

  test("a last day to appeal before the determination, or where that has no date before the case, is refused", async () => {
    const determination = { ...denied, decidedAt: daysAgo(3).toISOString() };
    const dated = await anAnsweredTask(store, { type: "decided", determination });
    const undated = await anAnsweredTask(store, {
      type: "decided",
      determination: { ...denied, decidedAt: undefined },
    });
    const evidence = "Page 2";
    for (const [{ reviewer, taskId }, by] of [
      [dated, daysAgo(5).toISOString().slice(0, 10)],
      [undated, daysAgo(3).toISOString().slice(0, 10)],
    ] as const) {
      expect(await recordAppealTerms(reviewer, { taskId, by, evidence })).toMatchObject({
        refusal: { type: "invalid", issues: [{ path: "by" }] },
      });
      expect((await done(reviewTask(reviewer, { taskId }))).recourse?.terms).toBeUndefined();
    }
    const { reviewer, taskId } = undated;
    const recorded = { taskId, outcome: "denied", reasons: [], appealBy: "2025-01-31", evidence } as const;
    expect(await recordDetermination(reviewer, recorded)).toMatchObject({
      refusal: { type: "invalid", issues: [{ path: "appealBy" }] },
    });
  });

  test("what was decided about a determination that another has followed since is refused and changes nothing", async () => {
    const { reviewer, taskId } = await aDenial();
    const first = (await done(reviewTask(reviewer, { taskId }))).determinations.at(-1);
    const evidence = "Letter";
    const again = { taskId, outcome: "denied", reasons: ["0G"], decidedAt: daysAgo(0), evidence } as const;
    await done(recordDetermination(reviewer, again));
    const of = { taskId, determinationId: first?.id };
    const refused = { ok: false, refusal: { type: "changed" } };
    expect(await acceptDetermination(reviewer, { ...of, reason: "Another treatment." })).toMatchObject(refused);
    expect(await recordAppealTerms(reviewer, { ...of, by: "2099-01-31", evidence })).toMatchObject(refused);
    expect(await recordPeerToPeer(reviewer, { ...of, status: "requested" })).toMatchObject(refused);
    const { recourse, determinations } = await done(reviewTask(reviewer, { taskId }));
    expect(recourse).toEqual({ isOpen: true });
    const determinationId = determinations.find(({ standing }) => standing === "in-force")?.id;
    await done(acceptDetermination(reviewer, { taskId, determinationId, reason: "Another treatment." }));
  });

  test("an approval has nothing to contest", async () => {
    const { channel, practiceId, reviewer, taskId } = await anAnsweredTask(store, {
      type: "decided",
      determination: approved,
    });
    const refusal = { ok: false, refusal: { type: "out-of-state" } };
    expect(await recordPeerToPeer(reviewer, { taskId, status: "requested" })).toMatchObject(refusal);
    expect(await recordAppealTerms(reviewer, { taskId, by: "2099-01-31", evidence: "x" })).toMatchObject(refusal);
    expect(await acceptDetermination(reviewer, { taskId, reason: "x" })).toMatchObject(refusal);
    const review = { ...fullReview, appeal };
    expect(await sendMessage(channel, anIntake({ practiceId, taskId, review }))).toMatchObject(refusal);
    expect(await sendMessage(channel, anIntake({ practiceId, review }))).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ path: "/message/parts/0/data/serviceReview/appeal" }] },
    });
  });
});

describe("a peer-to-peer review", () => {
  test("is told to the agent without its people, and kept with them for the practice", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    const at = new Date("2099-01-12T15:00:00Z");
    const people = { clinician: "Dr. Rao", counterpart: "Dr. Lindqvist" };
    await done(recordPeerToPeer(reviewer, { taskId, status: "scheduled", at, ...people }));
    const [row] = await inView(denial);
    expect(row?.actBy).toEqual(at);
    expect(await wireOf(denial)).toMatchObject({
      nextAction: { by: "reviewer" },
      recourse: { peerToPeer: { status: "scheduled", at: at.toISOString() } },
    });
    const held = new Date(Date.now() - 1);
    const outcome = { outcome: "overturned", note: "He agrees." } as const;
    await done(recordPeerToPeer(reviewer, { taskId, status: "held", at: held, ...people, ...outcome }));
    const view = await wireOf(denial);
    expect(view).toMatchObject({
      state: "determined",
      nextAction: { by: "reviewer", what: "Record the payer's new decision." },
      recourse: { peerToPeer: { status: "held", outcome: "overturned" } },
    });
    expect(JSON.stringify(view)).not.toMatch(/Rao|Lindqvist/);
    const { manualRecords } = await done(reviewTask(reviewer, { taskId }));
    expect(manualRecords).toMatchObject([
      { kind: "peer-to-peer", status: "scheduled", of: at, ...people },
      { kind: "peer-to-peer", status: "held", of: held, ...people, ...outcome },
    ]);
    const { rows } = await store.pool.query("SELECT detail FROM audit_entry WHERE task_id = $1", [taskId]);
    expect(JSON.stringify(rows)).not.toMatch(/Rao|Lindqvist|agrees/);
  });

  test.each([
    ["held without an outcome", { status: "held", at: new Date(0) }, "outcome"],
    ["held before there was a request", { status: "held", at: daysAgo(3), outcome: "upheld" }, "at"],
    ["held in the future", { status: "held", at: new Date("2099-01-01"), outcome: "upheld" }, "at"],
    ["scheduled without a time", { status: "scheduled" }, "at"],
    ["scheduled in the past", { status: "scheduled", at: new Date(0) }, "at"],
  ] as const)("%s is refused and changes nothing", async (_, recorded, path) => {
    const { reviewer, taskId } = await aDenial();
    const refused = await recordPeerToPeer(reviewer, { taskId, ...recorded });
    const issues = expect.arrayContaining([expect.objectContaining({ path })]);
    expect(refused).toMatchObject({ ok: false, refusal: { type: "invalid", issues } });
    expect((await done(reviewTask(reviewer, { taskId }))).recourse).toEqual({ isOpen: true });
  });
});

describe("an appeal", () => {
  test("is a gated manual submission with a document of its own, and the payer's next decision supersedes the denial", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    await done(recordAppealTerms(reviewer, { taskId, by: "2099-01-31", evidence: "Page 2" }));
    const held = await contested(denial);
    const { gateId, ...seen } = seenOn(held);
    const view = await done(reviewTask(reviewer, { taskId }));
    expect(view).toMatchObject({ state: "transmit-held", gate: { manual: true, update: true } });
    await done(
      releaseGate(reviewer, {
        taskId,
        seen: { gateId, ...seen },
        why: "Checked.",
        shown: view.checks.map(({ key }) => key),
      }),
    );
    const packet = await done(readReleasedPacket(reviewer, { taskId }));
    for (const text of [
      "REQUEST FOR RECONSIDERATION",
      "reason 0F",
      denied.notes[0] ?? "",
      appeal.reason,
      report().sha256,
    ])
      expect(packet.text).toContain(text);
    await done(startManualSubmission(reviewer, { taskId, gateId }));
    await done(reportSent(reviewer, { taskId, gateId, delivery: "fax" }));
    expect(await wireOf(denial)).toMatchObject({ state: "transmitted", determination: { outcome: "denied" } });
    const learned = { by: "letter" } as const;
    await done(
      recordDetermination(reviewer, {
        taskId,
        outcome: "approved",
        authorizationNumber: "A-9",
        learned,
        evidence: "Letter",
      }),
    );
    expect(await wireOf(denial)).toMatchObject({
      state: "determined",
      nextAction: { by: "none" },
      determination: { outcome: "approved", authorizationNumber: "A-9" },
      recourse: undefined,
    });
    expect(await inView(denial)).toEqual([]);
    expect((await replayTasks(store, denial.practiceId)).faults).toEqual([]);
  });

  test("needs nothing that the payer has already, and after the payer's last day it warns", async () => {
    const determination = { ...denied, decidedAt: daysAgo(3).toISOString() };
    const denial = await anAnsweredTask(store, { type: "decided", determination });
    const { channel, practiceId, reviewer, taskId } = denial;
    const by = daysAgo(2).toISOString().slice(0, 10);
    await done(recordAppealTerms(reviewer, { taskId, by, evidence: "Page 2" }));
    const { payer, procedures } = fullReview;
    await done(sendMessage(channel, anIntake({ practiceId, taskId, review: { payer, procedures, appeal } })));
    const { checks, can } = await done(reviewTask(reviewer, { taskId }));
    expect(can).toContain("release");
    expect(checks.filter(({ level }) => level === "block")).toEqual([]);
    expect(checks).toContainEqual(expect.objectContaining({ type: "appeal-late", values: [by] }));
  });

  test("that a reviewer declines leaves the denial to be acted on, and another may follow", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    const held = await contested(denial);
    await done(declineGate(reviewer, { taskId, seen: seenOn(held), reason: "The report is missing a page." }));
    expect(await wireOf(denial)).toMatchObject({ state: "determined", recourse: { open: true } });
    expect(await inView(denial)).toHaveLength(1);
    expect(await contested(denial)).toMatchObject({ task: { revision: 3 } });
  });

  test("with a deadline of the payer's sooner than the practice's target is due by then", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    const by = new Date().toISOString().slice(0, 10);
    await done(recordAppealTerms(reviewer, { taskId, by, evidence: "Page 2" }));
    await contested(denial);
    const { dueAt, practice } = await done(reviewTask(reviewer, { taskId }));
    expect(practice.timeZone).toBeDefined();
    expect(dueAt && dueAt.getTime() - Date.now()).toBeLessThan(36 * 60 * 60 * 1000);
  });

  test("denied again is contested anew, with the terms of that decision alone", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    await done(recordAppealTerms(reviewer, { taskId, by: "2099-01-31", evidence: "Page 2" }));
    const appealBy = "2099-03-31";
    const decidedAt = new Date(Date.now() - 60_000);
    const recorded = { taskId, outcome: "denied", reasons: ["0G"], decidedAt, appealBy, evidence: "Letter" } as const;
    await done(recordDetermination(reviewer, recorded));
    expect(await wireOf(denial)).toMatchObject({
      determination: { lines: [{ reasons: [{ code: "0G" }] }], appeal: { by: appealBy } },
      recourse: { open: true, appealBy },
      nextAction: { until: appealBy },
    });
  });

  test("recorded wrong or overturned at any time of its day is replaced where a person says so, and else refused at its date", async () => {
    const denial = await aDenial();
    const { reviewer, taskId } = denial;
    const evidence = "Letter";
    const inForce = async () =>
      (await done(reviewTask(reviewer, { taskId }))).determinations.find(({ standing }) => standing === "in-force")?.id;
    const first = await inForce();
    const approval = { taskId, outcome: "approved", authorizationNumber: "AUTH-77", evidence } as const;
    for (const decidedAt of [undefined, daysAgo(40)])
      expect(await recordDetermination(reviewer, { ...approval, decidedAt })).toMatchObject({
        refusal: { type: "invalid", issues: [{ path: "decidedAt" }] },
      });
    expect(await inForce()).toBe(first);
    await done(recordDetermination(reviewer, { ...approval, decidedAt: daysAgo(40), replaces: first }));
    expect(await wireOf(denial)).toMatchObject({
      determination: { outcome: "approved", authorizationNumber: "AUTH-77" },
    });
    const standings = (await done(reviewTask(reviewer, { taskId }))).determinations.map(({ standing }) => standing);
    expect(standings.toSorted()).toEqual(["in-force", "superseded"]);
    expect(
      await recordDetermination(reviewer, { ...approval, authorizationNumber: "AUTH-78", replaces: first }),
    ).toMatchObject({
      refusal: { type: "changed" },
    });
    const { faults } = await replayTasks(store);
    expect(faults.filter((fault) => fault.taskId === taskId)).toEqual([]);
  });
});
