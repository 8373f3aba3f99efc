import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { filesPerRevisionMax } from "#lib/task/model/attachment";
import { revisionDigest } from "#lib/payer/digest";
import { aChannel, aPractice, aStore, smallReview } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { aFilePart, aPdf, aPng } from "#test/support/agents/files";
import { canonicalBytes } from "./params/canonical.ts";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const [one, two, three] = [aPdf("one"), aPng(), aPdf("three")];
const send = async (over: object = {}) => {
  const { json } = await callEdge(deps, rpc("message/send", intakeParams({ practiceId, ...over })), { key });
  return json.result ?? json.error;
};
const opened = (...files: object[]) => send({ parts: files });
const amend = (taskId: string, over: { data?: object; parts?: object[] }) => send({ message: { taskId }, ...over });
const get = async (id: string, historyLength?: number) =>
  (await callEdge(deps, rpc("tasks/get", { id, historyLength }), { key })).json.result;
const digestsOf = (task: { revision: { attachments: { sha256: string }[] } }) =>
  task.revision.attachments.map((file) => file.sha256);

/** How many rows a practice has in each table a message with files writes. */
async function everyRow(of = practiceId): Promise<unknown> {
  const tables = ["task", "revision", "message", "gate", "attachment", "revision_attachment"];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE practice_id = $1) AS ${table}`);
  return (await store.pool.query(`SELECT ${counts.join(", ")}`, [of])).rows[0];
}

describe("a task opened with files", () => {
  test("lists them in its revision in their order, and includes them in the digests of revision and gate", async () => {
    const task = await opened(aFilePart(one, { name: "Order.pdf", mimeType: "application/pdf" }), aFilePart(two));
    expect(task.revision).toEqual({
      number: 1,
      digest: revisionDigest(canonicalBytes(smallReview), [sha256(one), sha256(two)]),
      attachments: [
        { sha256: sha256(one), contentType: "application/pdf", size: one.length, name: "Order.pdf", since: 1 },
        { sha256: sha256(two), contentType: "image/png", size: two.length, since: 1 },
      ],
    });
    const polled = await get(task.id);
    expect(polled.revision).toEqual(task.revision);
    expect(polled.gate.digest).toBe(task.gate.digest);
    const without = await opened();
    expect(without.revision).toEqual({
      number: 1,
      digest: revisionDigest(canonicalBytes(smallReview), []),
      attachments: [],
    });
  });

  test("returns them in its history exactly as they were sent, and nowhere else", async () => {
    const parts = [
      aFilePart(one, { name: "../a\u202e.pdf", more: null }),
      { kind: "text", text: "See both." },
      aFilePart(one),
    ];
    const task = await send({ parts, params: { configuration: { historyLength: 1 } } });
    expect(task.history[0].parts.slice(1)).toEqual(parts);
    expect((await get(task.id, 1)).history).toEqual(task.history);
    expect(JSON.stringify(await get(task.id))).not.toContain(Buffer.from(one).toString("base64"));
  });

  test("stores bytes and names encrypted, and each file once", async () => {
    const secret = "note of Okafor on the left knee";
    const task = await opened(aFilePart(Buffer.from(secret), { name: "Okafor.txt" }), aFilePart(Buffer.from(secret)));
    const { rows } = await store.pool.query("SELECT bytes, name, size FROM attachment WHERE task_id = $1", [task.id]);
    expect(rows).toHaveLength(1);
    const { rows: messages } = await store.pool.query("SELECT body FROM message WHERE task_id = $1", [task.id]);
    for (const value of [rows[0].bytes, rows[0].name, messages[0].body])
      expect((value as Buffer).toString("latin1")).not.toContain("Okafor");
  });

  test("sent again with the same message id is the same task, under any concurrency, and its files are stored once", async () => {
    const own = await aPractice(store);
    const { key: ownKey } = await aChannel(store, { practices: [own] });
    const parts = [aFilePart(one), aFilePart(two)];
    const call = rpc("message/send", intakeParams({ practiceId: own, parts, message: { messageId: uuidv7() } }));
    const answers = await Promise.all(Array.from({ length: 12 }, () => callEdge(deps, call, { key: ownKey })));
    expect(new Set(answers.map(({ json }) => json.result.id)).size).toBe(1);
    expect(await everyRow(own)).toEqual({
      task: 1,
      revision: 1,
      message: 1,
      gate: 1,
      attachment: 2,
      revision_attachment: 2,
    });
  });

  test("differs from a message with the same id and another file", async () => {
    const message = { messageId: uuidv7() };
    await send({ message, parts: [aFilePart(one)] });
    const before = await everyRow();
    expect(await send({ message, parts: [aFilePart(three)] })).toMatchObject({
      code: -32602,
      data: { issues: [{ path: "/message/messageId" }] },
    });
    expect(await everyRow()).toEqual(before);
  });
});

describe("a refused file", () => {
  test.each<[string, object, string]>([
    ["of no kind", aFilePart(Buffer.from("GIF89a\0")), "/message/parts/2/file/bytes"],
    ["misdeclared", aFilePart(one, { mimeType: "image/png" }), "/message/parts/2/file/mimeType"],
    ["elsewhere", { kind: "file", file: { uri: "https://files.example/a" } }, "/message/parts/2/file/bytes"],
  ])("%s is -32602 with its path, and nothing of its message is stored", async (_, bad, path) => {
    const before = await everyRow();
    const refused = await opened(aFilePart(one), bad);
    expect(refused).toMatchObject({ code: -32602, message: "Invalid params" });
    expect(refused.data.issues[0].path).toBe(path);
    expect(await everyRow()).toEqual(before);
  });

  test("leaves a task unchanged", async () => {
    const task = await opened(aFilePart(one));
    const [before, polled] = [await everyRow(), await get(task.id)];
    expect((await amend(task.id, { parts: [aFilePart(Buffer.from("PK\u0003\u0004"))] })).code).toBe(-32602);
    expect(await everyRow()).toEqual(before);
    expect(await get(task.id)).toEqual(polled);
  });

  test("for a practice out of reach gets the uniform denial, whatever the file is", async () => {
    const elsewhere = await aPractice(store);
    const denied = await callEdge(
      deps,
      rpc("message/send", intakeParams({ practiceId: elsewhere, parts: [aFilePart(one)] })),
      { key },
    );
    expect(denied.text).toBe('{"jsonrpc":"2.0","id":"1","error":{"code":-32003,"message":"Not authorised"}}');
    expect(await everyRow(elsewhere)).toMatchObject({ task: 0, attachment: 0 });
  });
});

describe("a new revision", () => {
  test("has the files of the revision before and the new ones, each with the revision that it came with", async () => {
    const task = await opened(aFilePart(one, { name: "a.pdf" }));
    const amended = await amend(task.id, { parts: [aFilePart(two), aFilePart(one, { name: "b.pdf" })] });
    expect(amended.revision).toMatchObject({
      number: 2,
      digest: revisionDigest(canonicalBytes(smallReview), [sha256(one), sha256(two)]),
      attachments: [
        { sha256: sha256(one), name: "a.pdf", since: 1 },
        { sha256: sha256(two), since: 2 },
      ],
    });
    expect((await get(task.id)).revision).toEqual(amended.revision);
    expect(digestsOf(await amend(task.id, {}))).toEqual([sha256(one), sha256(two)]);
  });

  test("drops a file that keepAttachments does not name, and may send it again", async () => {
    const task = await opened(aFilePart(one), aFilePart(two));
    expect(digestsOf(await amend(task.id, { data: { keepAttachments: [sha256(two)] } }))).toEqual([sha256(two)]);
    expect(digestsOf(await amend(task.id, { data: { keepAttachments: [] } }))).toEqual([]);
    const again = await amend(task.id, { parts: [aFilePart(three), aFilePart(one)] });
    expect(again.revision.attachments).toMatchObject([
      { sha256: sha256(three), since: 4 },
      { sha256: sha256(one), since: 1 },
    ]);
    expect((await get(task.id)).revision).toEqual(again.revision);
  });

  test("cannot keep a file that the revision before does not have", async () => {
    const task = await opened(aFilePart(one));
    await amend(task.id, { data: { keepAttachments: [] } });
    const dropped = await get(task.id);
    for (const keep of [sha256(one), sha256(two)]) {
      expect(await amend(task.id, { data: { keepAttachments: [keep] }, parts: [aFilePart(two)] })).toMatchObject({
        code: -32602,
        data: { issues: [{ path: "/message/parts/0/data/keepAttachments/0" }] },
      });
    }
    expect(await get(task.id)).toEqual(dropped);
    expect((await send({ data: { keepAttachments: [sha256(one)] } })).code).toBe(-32602);
  });

  test("has at most so many files, including those of the revision before", async () => {
    const note = (index: number) => aFilePart(Buffer.from(`note ${index}`));
    const notes = (from: number) => Array.from({ length: 10 }, (_, index) => note(from + index));
    const task = await opened(...notes(0));
    expect((await amend(task.id, { parts: notes(10) })).revision.attachments).toHaveLength(filesPerRevisionMax);
    expect(await amend(task.id, { parts: [note(20)] })).toMatchObject({
      code: -32602,
      data: { issues: [{ path: "/message/parts" }] },
    });
    const replaced = await amend(task.id, { data: { keepAttachments: [] }, parts: [note(20)] });
    expect(replaced.revision.attachments).toHaveLength(1);
  });
});
