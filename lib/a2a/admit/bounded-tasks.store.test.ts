import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { inTransaction } from "#lib/db/db";
import { loadTask } from "#lib/task/store/load-task";
import { agentNotes } from "#lib/task/agent-notes";
import { messageBytesMax } from "#lib/task/model/message-length";
import { insertMessage } from "#lib/task/store/messages";
import { historyBytesMax } from "#lib/task/message-history";
import { fullTaskIssues, revisionsMax } from "#lib/task/task-limits";
import { aChannel, aPractice, anIntake, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { aFilePart } from "#test/support/agents/files";
import { noteCharsMax } from "./limits.ts";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });

const send = async (over: object = {}) =>
  (await callEdge(deps, rpc("message/send", intakeParams({ practiceId, ...over })), { key })).json;
const get = async (id: string, historyLength: number) =>
  (await callEdge(deps, rpc("tasks/get", { id, historyLength }), { key })).json.result;
const note = (letter: string) => ({ kind: "text", text: letter.repeat(noteCharsMax) });
const notes = (letter: string, count: number) => Array.from({ length: count }, () => note(letter));
const rows = async (taskId: string) => ({
  revisions: await store.prisma.revision.count({ where: { taskId } }),
  messages: await store.prisma.message.count({ where: { taskId } }),
  gates: await store.prisma.gate.count({ where: { taskId } }),
});

describe("history", () => {
  test("holds the newest messages within its size limit, and states how many older ones it leaves out", async () => {
    const { result: task } = await send({ parts: notes("0", 18) });
    for (const letter of ["1", "2", "3", "4"]) await send({ message: { taskId: task.id }, parts: notes(letter, 18) });
    const { history, metadata } = await get(task.id, 1_000);
    expect(history.map((message: { parts: { text?: string }[] }) => message.parts[1]?.text?.[0])).toEqual(["3", "4"]);
    expect(metadata).toMatchObject({ state: task.state, historyLeftOut: 3 });
    expect(JSON.stringify(history).length).toBeLessThan(historyBytesMax * 1.1);
    expect((await get(task.id, 2)).metadata).not.toHaveProperty("historyLeftOut");
  });

  test("always has the last message, and names a file by its digest when its bytes do not fit", async () => {
    const [small, large] = [Buffer.from("A small file."), Buffer.alloc(historyBytesMax, "large ")];
    const params = { configuration: { historyLength: 1 } };
    const { result: task } = await send({ parts: [aFilePart(small), aFilePart(large, { name: "All.txt" })], params });
    const [, first, second] = task.history[0].parts;
    expect(first).toEqual(aFilePart(small));
    const { sha256, size } = task.revision.attachments[1];
    const uri = `ni:///sha-256;${Buffer.from(sha256, "hex").toString("base64url")}`;
    expect(second).toEqual({ kind: "file", file: { name: "All.txt", uri, sha256, size } });
    expect((await get(task.id, 5)).history).toEqual(task.history);
  });
});

describe("a message longer than one may be, kept from before there was such a limit", () => {
  test("is left out of the history and the notes, counted, and keeps no other message out", async () => {
    const { result: task } = await send({ parts: [note("0")] });
    const stored = await store.prisma.message.findFirstOrThrow({ where: { taskId: task.id } });
    const [body, at] = [Buffer.alloc(messageBytesMax + 1, "x"), new Date(stored.createdAt.getTime() + 1)];
    const long = { ...stored, messageId: undefined, revision: undefined, body, at };
    await inTransaction(store, (tx) => insertMessage(tx, long));
    const { history, metadata } = await get(task.id, 10);
    expect(history).toHaveLength(1);
    expect(metadata.historyLeftOut).toBe(1);
    expect(await get(task.id, 1)).toMatchObject({ history: [], metadata: { historyLeftOut: 1 } });
    const notesOf = await agentNotes(store, { taskId: task.id, practiceId, shown: "newest" });
    expect(notesOf.value).toMatchObject({ notes: [note("0").text], moreNotes: true });
  });
});

describe("a task that is continued again and again", () => {
  test("has at most so many revisions, even when several arrive at once; one more is refused with the remedy and changes nothing", async () => {
    const { result: task } = await send();
    const amend = () => send({ message: { taskId: task.id } });
    for (let revision = 2; revision < revisionsMax; revision += 1) await amend();
    const last = await Promise.all([amend(), amend(), amend()]);
    expect(last.filter(({ result }) => result?.revision.number === revisionsMax)).toHaveLength(1);
    const before = await rows(task.id);
    expect((await amend()).error).toEqual({
      code: -32602,
      message: "Invalid params",
      data: {
        requestId: expect.any(String),
        issues: [
          {
            path: "/message",
            problem: `continues a task that has ${revisionsMax} revisions, and no task has more: withdraw or void it, and open another`,
          },
        ],
      },
    });
    expect(await rows(task.id)).toEqual(before);
    expect(before.revisions).toBe(revisionsMax);
    expect((await callEdge(deps, rpc("tasks/cancel", { id: task.id }), { key })).json.result.state).toBe("withdrawn");
  });

  test("stores at most so many bytes of messages, files and frozen requests, and still has room for a void", async () => {
    const file = randomBytes(300_000).toString("base64");
    const { result: task } = await send({ parts: [aFilePart(Buffer.from(file)), note("x")] });
    const sent = anIntake({ practiceId, taskId: task.id });
    const voiding = {
      ...sent,
      ask: { skill: "prior_auth_void", practiceId, taskId: task.id, reason: "Twice." },
    } as const;
    const issues = (of: Parameters<typeof fullTaskIssues>[1], most: number) =>
      inTransaction(store, async (tx) => {
        const row = await loadTask(tx, { taskId: task.id, practices: [practiceId] });
        if (!row) throw new Error("The task is there.");
        return fullTaskIssues({ tx, row }, of, most);
      });
    const { rows: kept } = await store.pool.query<{ bytes: number }>(
      `SELECT (SELECT sum(size) FROM message WHERE task_id = $1)::int
            + (SELECT sum(octet_length(calls)) FROM gate WHERE task_id = $1)::int + $2 AS bytes`,
      [task.id, file.length],
    );
    const bytes = (kept[0]?.bytes ?? 0) + sent.body.length;
    expect(await issues(sent, bytes)).toEqual([]);
    expect(await issues(sent, bytes - 1)).toMatchObject([
      { path: "/message", problem: /^continues a task that keeps/ },
    ]);
    expect(await issues(voiding, bytes - 1)).toEqual([]);
  });
});

test("the page of a case gets the newest notes that it shows at once, and all of them on request", async () => {
  const { result: task } = await send({ parts: [note("0")] });
  for (const letter of ["1", "2"]) await send({ message: { taskId: task.id }, parts: [note(letter)] });
  const shown = async (which: "newest" | "all") => {
    const { notes: list, moreNotes } = (await agentNotes(store, { taskId: task.id, practiceId, shown: which })).value;
    return { letters: list.map((text) => text[0]).join(""), moreNotes };
  };
  expect(await shown("newest")).toEqual({ letters: "2", moreNotes: true });
  expect(await shown("all")).toEqual({ letters: "012", moreNotes: false });
});

test("a channel over its daily quota of bytes learns when to try again, is told nothing of its rate, and can still poll", async () => {
  const { key: other } = await aChannel(store, { practices: [practiceId] });
  const bounded = edgeDeps(store, { bytesPerDay: 2_000 });
  const intake = rpc("message/send", intakeParams({ practiceId, parts: [{ kind: "text", text: "x".repeat(1_500) }] }));
  const first = await callEdge(bounded, intake, { key });
  expect(first.json.result.kind).toBe("task");
  const second = await callEdge(bounded, intake, { key });
  expect(second).toMatchObject({ status: 429, json: { error: { code: -32000 } } });
  expect(Number(second.headers["retry-after"])).toBeGreaterThan(1_000);
  expect(second.headers).not.toHaveProperty("ratelimit");
  expect((await callEdge(bounded, rpc("tasks/get", { id: first.json.result.id }), { key })).status).toBe(200);
  expect((await callEdge(bounded, intake, { key: other })).status).toBe(200);
});
