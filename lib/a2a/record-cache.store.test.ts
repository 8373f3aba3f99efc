import { afterAll, describe, expect, test } from "vitest";
import { readCredential } from "#lib/channel/channel-key";
import { cancelTask } from "#lib/task/cancel-task";
import { createRecordCache } from "#lib/task/record-cache";
import { sendMessage } from "#lib/task/send-message";
import { releaseGate } from "#lib/gate/release-gate";
import { requestInformation } from "#lib/gate/request-information";
import { recallRelease } from "#lib/gate/recall-release";
import { recordAnswer } from "#lib/submission/record-answer";
import { claimTransmission, startTransmission } from "#lib/submission/transmission";
import { aChannel, aHeldTask, anIntake, aStore, aVoid, fullReview, theWorker } from "#test/support/cases/cases";
import { callEdge, edgeDeps, rpc } from "#test/support/agents/edge";
import { anAnsweredTask, approved, aReleasedTask, aTransmittingTask, bytes } from "#test/support/cases/sent-cases";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const worker = theWorker(store);

type Task = Awaited<ReturnType<typeof aHeldTask>>;

async function poll({ taskId, channel }: Pick<Task, "taskId" | "channel">, from = deps, historyLength = 10) {
  const answer = await callEdge(from, rpc("tasks/get", { id: taskId, historyLength }), channel);
  const { result, error } = answer.json;
  // A moment later it may be another second.
  return result ? { ...result, pollAfterSeconds: undefined } : error;
}

/** The public id of the task's key, as calls name it. */
const keyIdOf = ({ channel }: Pick<Task, "channel">) => readCredential(store, channel.key)?.id ?? "";

/** What nothing is kept for. */
const anew = (task: Task) => poll(task, { ...deps, records: createRecordCache() });

const doctored = "what no task has";

/** Polls a task, and then puts something false into what was told, so that it shows where that is told again. */
async function pollUnchanged<Of extends Task>(task: Of): Promise<Of> {
  await poll(task);
  const query = { keyId: keyIdOf(task), taskId: task.taskId, historyLength: 10 };
  const record = deps.records.find(query);
  if (!record) throw new Error("Nothing was kept.");
  deps.records.keep(query, { ...record, revisionDigest: doctored });
  expect(await poll(task)).toMatchObject({ revision: { digest: doctored } });
  return task;
}

const answered = (answer: Parameters<typeof anAnsweredTask>[1]) => () => anAnsweredTask(store, answer);
const held = () => aHeldTask(store, { routed: true, review: fullReview });

/** Changes of a task by everybody who changes one. */
const changes: Readonly<Record<string, () => Promise<[task: Task, change: () => Promise<unknown>]>>> = {
  "the agent's amendment": async () => {
    const task = await held();
    const { practiceId, taskId } = task;
    return [task, () => sendMessage(task.channel, anIntake({ practiceId, taskId, review: fullReview, note: "more" }))];
  },
  "a release": async () => {
    const task = await held();
    return [task, () => releaseGate(task.reviewer, task)];
  },
  "a question to the agent": async () => {
    const task = await held();
    return [task, () => requestInformation(task.reviewer, { ...task, question: "Which side?" })];
  },
  "an undone release": async () => {
    const task = await aReleasedTask(store);
    return [task, () => recallRelease(task.reviewer, { taskId: task.taskId, gateId: task.seen.gateId })];
  },
  "the worker's claim": async () => {
    const task = await aReleasedTask(store);
    return [task, () => claimTransmission(worker, { taskId: task.taskId })];
  },
  "the start of a submission": async () => {
    const task = await aReleasedTask(store);
    const claimed = await claimTransmission(worker, { taskId: task.taskId });
    if (!claimed.ok || claimed.value === "held-again") throw new Error("The claim failed.");
    const { value } = claimed;
    return [task, () => startTransmission(worker, value)];
  },
  "the payer's answer": async () => {
    const task = await aTransmittingTask(store);
    const response = { answer: { type: "decided", determination: approved }, bytes } as const;
    return [task, () => recordAnswer(worker, { taskId: task.taskId, attempt: task.claim.attempt, response })];
  },
  "a void asked for": async () => {
    const task = await answered({ type: "accepted", reference: "R-1" })();
    return [task, () => sendMessage(task.channel, aVoid(task))];
  },
  "a withdrawal": async () => {
    const task = await held();
    return [task, () => cancelTask(task.channel, task)];
  },
};

describe("a poll that was answered before is answered from memory, and never after", () => {
  test.each(Object.keys(changes))("%s", async (name) => {
    const [task, change] = (await changes[name]?.()) ?? expect.fail(name);
    await pollUnchanged(task);
    await change();
    const now = await poll(task);
    expect(JSON.stringify(now)).not.toContain(doctored);
    expect(now).toEqual(await anew(task));
    expect(await poll(task)).toEqual(now);
  });

  test("a change of what the payer's clock is made of", async () => {
    const task = await pollUnchanged(await answered({ type: "accepted", reference: "R-1" })());
    const where = { id: task.practiceId };
    await store.prisma.practice.update({ where, data: { timeZone: "Pacific/Honolulu" } });
    expect(await poll(task)).toEqual(await anew(task));
    await pollUnchanged(task);
    await store.prisma.route.updateMany({
      where: { practiceId: task.practiceId },
      data: { lineOfBusiness: "medicaid-ffs" },
    });
    expect(await poll(task)).toEqual(await anew(task));
  });

  test("the same version of a database that was restored", async () => {
    const task = await pollUnchanged(await held());
    const changedAt = new Date(Date.now() - 60_000);
    await store.prisma.task.update({ where: { id: task.taskId }, data: { changedAt } });
    expect(await poll(task)).toEqual(await anew(task));
  });
});

describe("what a key was told tells nobody else, and itself nothing it may no longer know", () => {
  const denied = { code: -32003, message: "Not authorised" };

  test("another channel", async () => {
    const task = await pollUnchanged(await held());
    const near = await aChannel(store, { practices: [task.practiceId] });
    expect(JSON.stringify(await poll({ ...task, channel: near }))).not.toContain(doctored);
    const far = await aChannel(store, { practices: [] });
    expect(await poll({ ...task, channel: far })).toEqual(denied);
  });

  test.each(["its reach", "its permission", "its channel", "its key", "the practice"])(
    "%s is taken away",
    async (what) => {
      const task = await pollUnchanged(await held());
      const { id } = task.channel.actor;
      const { channelPractice, channel, channelKey, practice } = store.prisma;
      if (what === "its reach") await channelPractice.deleteMany({ where: { channelId: id } });
      if (what === "its permission") await channel.update({ where: { id }, data: { atoms: ["prior_auth_intake"] } });
      if (what === "its channel") await channel.update({ where: { id }, data: { status: "suspended" } });
      if (what === "its key")
        await channelKey.update({ where: { id: keyIdOf(task) }, data: { revokedAt: new Date() } });
      if (what === "the practice")
        await practice.update({ where: { id: task.practiceId }, data: { status: "suspended" } });
      expect(await poll(task)).toEqual(denied);
    },
  );

  test("a reply of another length", async () => {
    const task = await pollUnchanged(await held());
    expect(await poll(task, deps, 0)).toMatchObject({ history: [] });
  });
});

test("a task that lacks something is read anew, since its advice goes by the day", async () => {
  const task = await aHeldTask(store);
  const { taskId } = task;
  await store.prisma.task.update({ where: { id: taskId }, data: { stage: "idle", missing: ["/patient"] } });
  expect(await poll(task)).toMatchObject({ problems: [{ path: "/patient" }] });
  expect(deps.records.find({ keyId: keyIdOf(task), taskId, historyLength: 10 })).toBeUndefined();
});
