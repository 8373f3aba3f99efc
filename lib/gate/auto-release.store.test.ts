import { afterAll, afterEach, expect, test, vi } from "vitest";
import { pino } from "pino";
import { unscoped, type Store } from "#lib/db/db";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { createChannel } from "#lib/channel/create-channel";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { previewImport } from "#lib/practice/import/import-settings";
import { setAutoReview } from "#lib/practice/set-auto-review";
import { setRoute } from "#lib/practice/set-route";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { listQueue } from "#lib/queue/list-queue";
import { autoReleasedInReport } from "#lib/messages/reviewer/report-tables";
import { exportReport } from "#lib/report/export-report";
import { rollUpReports } from "#lib/report/roll-up-reports";
import { showReport } from "#lib/report/show-report";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { stateOf } from "#lib/task/model/task";
import { taskView } from "#lib/a2a/reply/task-view";
import { autoReviewRounds } from "#lib/worker/review-automatically";
import { submit } from "#lib/worker/submit";
import { done, operator } from "#test/support/people/admin";
import { anIntake, aPerson, aPractice, aStore, actsOf, fullReview, theWorker } from "#test/support/cases/cases";
import { unguarded } from "#test/support/database/ledgers";
import { aSandboxTask, nowhere, withSandboxPayer } from "#test/support/cases/sandbox";
import { aSimulator } from "#test/support/payer/simulator";
import { autoRelease } from "./auto-release.ts";
import { readDecision } from "./read-decision.ts";

const store = aStore();
const log = pino({ enabled: false });
const ctx = { actor: operator, store };
afterAll(() => store.close());
afterEach(() => vi.unstubAllEnvs());

type SandboxTask = Awaited<ReturnType<typeof aSandboxTask>>;

const asAutoReviewer = (practiceId: string) => ({ actor: { kind: "auto-reviewer", practiceId }, store }) as const;
const releases = ({ practiceId, taskId, gateId }: SandboxTask) =>
  autoRelease(asAutoReviewer(practiceId), { taskId, gateId });
const carriesOut = ({ taskId }: SandboxTask) =>
  submit(theWorker(store), { log, deadlineMs: 20_000, guard: unguarded }, taskId);
const read = async ({ channel, taskId }: SandboxTask) => done(getTask(channel, { taskId, historyLength: 0 }));
const stateNow = async (held: SandboxTask) => stateOf((await read(held)).task);

test("a test request to the sandbox payer is released without a person, and every record of it says so", async () => {
  const held = await aSandboxTask(store);
  expect((await releases(held)).ok).toBe(true);
  const record = await read(held);
  expect(stateOf(record.task)).toBe("transmit-released");
  expect(taskView(record)).toMatchObject({ gate: { releasedBy: "auto-reviewer" } });
  const { rows } = await store.pool.query<{ actor: string; detail: string }>(
    "SELECT actor, detail FROM audit_entry WHERE task_id = $1 AND act = 'gate.auto-released'",
    [held.taskId],
  );
  expect(rows.map(({ actor }) => actor)).toEqual(["auto-reviewer"]);
  expect(JSON.parse(rows[0]?.detail ?? "{}")).toMatchObject({ environment: "test", gate: record.gate?.digest });
  expect(await store.prisma.gate.findUnique({ where: { id: held.gateId } })).toMatchObject({
    autoReleased: true,
    decidedBy: null,
  });
  expect(await store.prisma.vote.count({ where: { gateId: held.gateId } })).toBe(0);
  expect(await store.prisma.decisionReceipt.count({ where: { gateId: held.gateId } })).toBe(0);
  const reviewer = await aPerson(store, { practices: [held.practiceId] });
  const { rows: listed } = await listQueue(reviewer, { view: "at-payer", sort: "due", filters: {} });
  expect(listed).toMatchObject([{ taskId: held.taskId, autoReleased: true }]);
  const printed = await done(readDecision(reviewer, { taskId: held.taskId }));
  expect(printed.gate).toMatchObject({ id: held.gateId, autoReleased: true });
  expect(printed.decision).toBeUndefined();
});

test("a report and its CSV say whose releases no person made, also after the practice went back to reviewing", async () => {
  const held = await aSandboxTask(store);
  // The fixture's own practice has it from its beginning; an administrator turns it on.
  for (const on of [false, true]) await done(setAutoReview(ctx, { practiceId: held.practiceId, on }));
  await done(releases(held));
  const elsewhere = await aPractice(store);
  const practices = [held.practiceId, elsewhere];
  const reviewer = await aPerson(store, { practices });
  await rollUpReports(unscoped(store));
  const { name } = await store.prisma.practice.findUniqueOrThrow({ where: { id: held.practiceId } });
  const csvOf = async (practiceId: string | undefined) =>
    (await done(exportReport(reviewer, { report: "reviews", zone: "UTC", practiceId }))).csv.trimEnd().split("\r\n");
  for (const on of [true, false]) {
    await done(setAutoReview(ctx, { practiceId: held.practiceId, on }));
    const shown = await done(showReport(reviewer, { report: "reviews", zone: "UTC" }));
    expect(autoReleasedInReport(shown)).toContain(name);
    for (const practiceId of [undefined, held.practiceId]) {
      const [head, ...rows] = await csvOf(practiceId);
      expect(head).toMatch(/,"Automatic review of test requests is or was on for"$/);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.endsWith(`,"${name}"`), row).toBe(true);
    }
    expect((await csvOf(elsewhere))[0]).not.toContain("Automatic");
  }
});

test("the worker carries a sandbox request from intake to determination without a person, byte for byte", async () => {
  const simulator = await aSimulator();
  const held = await aSandboxTask(store, { url: `${simulator.url}/fhir` });
  await autoReviewRounds({ store: unscoped(store), log })();
  await carriesOut(held);
  expect(await stateNow(held)).toBe("determined");
  const [sent] = await simulator.ledger();
  expect(sent?.sha256).toBe((await read(held)).gate?.documentDigests?.[0]);
});

/** Each of them alone keeps a request waiting for a person. */
const obstacles: Readonly<Record<string, (held: SandboxTask) => unknown>> = {
  "the practice reviews its requests itself": ({ practiceId }) => done(setAutoReview(ctx, { practiceId, on: false })),
  "the deployment has no sandbox payer": () => withSandboxPayer(""),
  "the payer is not the sandbox payer": () => withSandboxPayer("http://127.0.0.1:10"),
  "the practice asks for two reviewers": async ({ practiceId }) => {
    await aPerson(store, { practices: [practiceId] });
    await aPerson(store, { practices: [practiceId] });
    const rule = { action: "transmit", votes: 2, stepUp: false } as const;
    await done(
      setVoteRules(ctx, {
        practiceId,
        rules: [
          { ...rule, risk: "ordinary" },
          { ...rule, risk: "high" },
        ],
      }),
    );
  },
};

test.each(Object.entries(obstacles))("nothing is released automatically where %s", async (_, obstruct) => {
  const held = await aSandboxTask(store);
  await obstruct(held);
  expect(await releases(held)).toMatchObject({ ok: false, refusal: { type: "out-of-state" } });
  expect(await stateNow(held)).toBe("transmit-held");
});

test("a request that a person might not release either, being the same as one released, waits for a person", async () => {
  const first = await aSandboxTask(store);
  await done(releases(first));
  const { id: taskId, gate } = await done(
    sendMessage(first.channel, anIntake({ practiceId: first.practiceId, review: fullReview })),
  );
  const second = { ...first, taskId, gateId: gate?.id ?? "" };
  expect(await releases(second)).toMatchObject({
    refusal: { type: "blocked", checks: [{ type: "exact-duplicate", other: first.taskId }] },
  });
  expect(await stateNow(second)).toBe("transmit-held");
});

test("nothing is released automatically over a live payer connection, even of a test practice and to this machine", async () => {
  const held = await aSandboxTask(store, { environment: "live" });
  expect(await releases(held)).toMatchObject({ ok: false, refusal: { type: "out-of-state" } });
  expect(await actsOf(store, held.taskId)).not.toContain("gate.auto-released");
});

test.each(["the practice reviews its requests itself", "the deployment has no sandbox payer"])(
  "a request released automatically is held again instead of submitted once %s",
  async (obstacle) => {
    const held = await aSandboxTask(store);
    await done(releases(held));
    await obstacles[obstacle]?.(held);
    await carriesOut(held);
    expect(await stateNow(held)).toBe("transmit-held");
    expect(await store.prisma.gate.count({ where: { taskId: held.taskId, autoReleased: true } })).toBe(1);
  },
);

test("a live case is never released automatically, though its practice and its payer connection became test", async () => {
  const held = await aSandboxTask(store, { environment: "live" });
  const { practiceId, taskId } = held;
  const connection = { connector: "pas-fhir", url: `${nowhere}/fhir`, environment: "test" } as const;
  await done(setRoute(ctx, { practiceId, payerId: "87042", ...connection, settings: { version: "2.2.1" } }));
  const { gateId, environment } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  expect([environment, gateId === held.gateId]).toEqual(["test", false]);
  expect(await releases({ ...held, gateId: gateId ?? "" })).toMatchObject({ refusal: { type: "out-of-state" } });
});

test("automatic review is refused where a practice that was live has cases from then", async () => {
  const { practiceId } = await aSandboxTask(store, { environment: "live" });
  await done(setAutoReview(ctx, { practiceId, on: false }));
  expect(await setAutoReview(ctx, { practiceId, on: true })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "autoReview" }] },
  });
});

test("the auto-reviewer of one practice releases nothing of another", async () => {
  const held = await aSandboxTask(store);
  const elsewhere = await aPractice(store);
  const { taskId, gateId } = held;
  expect(await autoRelease(asAutoReviewer(elsewhere), { taskId, gateId })).toMatchObject({ ok: false });
  expect(await stateNow(held)).toBe("transmit-held");
});

test("a revision that replaced what was read is not released in its place", async () => {
  const held = await aSandboxTask(store);
  const { practiceId, taskId } = held;
  const other = { taskId, gateId: crypto.randomUUID() };
  expect(await autoRelease(asAutoReviewer(practiceId), other)).toMatchObject({ refusal: { type: "stale" } });
});

test("the database itself accepts automatic review of no live practice and automatic release of no live gate", async () => {
  const held = await aSandboxTask(store, { environment: "live" });
  const changed = [
    sql(store, "UPDATE gate SET auto_released = true WHERE id = $1", held.gateId),
    sql(store, "UPDATE practice SET environment = 'live' WHERE id = $1", held.practiceId),
  ];
  for (const each of await Promise.allSettled(changed))
    expect(each).toMatchObject({ status: "rejected", reason: { code: "23514" } });
});

test("automatic review is refused for a live practice and without a sandbox payer, and a practice that has it does not become live", async () => {
  withSandboxPayer();
  const practiceId = await aPractice(store);
  const settings = { practiceId, recallWindowS: 0, gateExpiryDays: 14, timeZone: "UTC" };
  const become = (environment: "live" | "test") => changePracticeSettings(ctx, { ...settings, environment });
  const turn = (on: boolean) => setAutoReview(ctx, { practiceId, on });
  const refused = { ok: false, refusal: { type: "invalid" } };
  await done(become("live"));
  expect(await turn(true)).toMatchObject(refused);
  await done(become("test"));
  withSandboxPayer("");
  expect(await turn(true)).toMatchObject(refused);
  withSandboxPayer(nowhere);
  await done(turn(true));
  expect(await become("live")).toMatchObject(refused);
});

test("a test channel reaches no live practice, and a practice that one reaches does not become live", async () => {
  const [live, tested] = [await aPractice(store), await aPractice(store)];
  await store.prisma.practice.update({ where: { id: live }, data: { environment: "live" } });
  const given = { name: "CI agent", atoms: ["tasks_get"], environment: "test" } as const;
  const refused = { ok: false, refusal: { type: "invalid", issues: [{ field: "practices" }] } };
  expect(await createChannel(ctx, { ...given, practices: [tested, live] })).toMatchObject(refused);
  const { id: channelId } = await done(createChannel(ctx, { ...given, practices: [tested] }));
  const rights = { channelId, atoms: ["tasks_get"], practices: [tested, live] };
  expect(await changeChannelAccess(ctx, rights)).toMatchObject(refused);
  const settings = { recallWindowS: 0, gateExpiryDays: 14, timeZone: "UTC", environment: "live" } as const;
  expect(await changePracticeSettings(ctx, { practiceId: tested, ...settings })).toMatchObject({
    refusal: { issues: [{ field: "environment" }] },
  });
  const text = `id,environment\n${tested},live`;
  expect(await done(previewImport(ctx, { kind: "practices", text }))).toMatchObject({
    rows: [{ outcome: "refused", issues: [{ field: "environment" }] }],
  });
});

function sql({ pool }: Store, statement: string, id: string): Promise<unknown> {
  return pool.query(statement, [id]);
}
