import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { bodyMs } from "#lib/platform/http/arrival";
import { serveA2a } from "./serve.ts";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const call = (method: string, params?: unknown, options: object = {}) =>
  callEdge(deps, rpc(method, params), { key, ...options });
const send = (over: object = {}) => call("message/send", intakeParams({ practiceId, ...over }));

describe("a body that does not end", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is answered 408 at its deadline", async () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("{")) });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
    const answered = serveA2a(new Request("http://localhost/api/a2a", init), deps);
    await vi.advanceTimersByTimeAsync(bodyMs - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(408);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an earlier check is reported before a later one", () => {
  const bad = { skill: "none" };

  test.each<[string, number, object, object]>([
    ["the envelope before the credential", -32600, { ...rpc("x"), jsonrpc: "1.0" }, { key: undefined }],
    ["the credential before the method", -32003, rpc("x"), { key: undefined }],
    ["the method before the params", -32601, rpc("x", { id: "\0" }), { key }],
    [
      "the params before authority",
      -32602,
      rpc("message/send", intakeParams({ practiceId: "none", data: bad })),
      { key },
    ],
    [
      "authority before the task",
      -32003,
      rpc("message/send", intakeParams({ practiceId: "none", message: { taskId: uuidv7() } })),
      { key },
    ],
    [
      "the task before what it stores",
      -32001,
      rpc("message/send", intakeParams({ practiceId, message: { taskId: uuidv7(), contextId: "x" } })),
      { key },
    ],
  ])("%s", async (_, code, body, options) => {
    expect((await callEdge(deps, body, options)).json.error.code).toBe(code);
  });
});

describe("the id comes back as it was sent", () => {
  test.each(["", "7", 7, 0, -1, Number.MAX_SAFE_INTEGER, "\0\ud800 é", "__proto__"])("%j", async (id) => {
    for (const method of ["tasks/get", "none"]) {
      const answer = await callEdge(deps, rpc(method, { id: uuidv7() }, id), { key });
      expect(answer.json.id).toBe(id);
    }
  });
});

describe("limits", () => {
  test("over a channel's rate the answer is 429 with when to try again, and the next channel is served", async () => {
    const slow = await aChannel(store, { practices: [practiceId] });
    await store.prisma.channel.update({ where: { id: slow.actor.id }, data: { callsPerSecond: 1 } });
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await callEdge(deps, rpc("x"), slow));
    expect(answers[0]?.json.error.code).toBe(-32601);
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      headers: { "retry-after": "1", "ratelimit-policy": '"calls";q=1;w=1', ratelimit: '"calls";r=0;t=1' },
      json: { id: "1", error: { code: -32000 } },
    });
    expect(answers[0]?.headers).toMatchObject({ "ratelimit-policy": '"calls";q=1;w=1' });
    expect(answers[0]?.headers).not.toHaveProperty("ratelimit");
    expect((await callEdge(deps, rpc("x"), { key })).json.error.code).toBe(-32601);
  });

  test("over its calls at once a channel gets 429 with when to try again, and nothing of its calls a second", async () => {
    const narrow = await aChannel(store, { practices: [practiceId] });
    const limits = { callsPerSecond: 1_000, callsAtOnce: 1 };
    await store.prisma.channel.update({ where: { id: narrow.actor.id }, data: limits });
    const other = await deps.load.enter(narrow.actor.id, limits);
    const { status, headers } = await callEdge(deps, rpc("x"), narrow);
    expect([status, headers["retry-after"], headers["ratelimit-policy"]]).toEqual([429, "1", '"calls";q=1000;w=1']);
    expect(headers).not.toHaveProperty("ratelimit");
    if ("leave" in other) other.leave();
  });

  test("over the capacity the answer is 503, and every call makes room when it ends", async () => {
    const full = edgeDeps(store, { inFlightMax: 1 });
    const other = await full.load.enter("other", {});
    const answer = await callEdge(full, rpc("tasks/get", { id: "x" }), { key });
    expect(answer).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      json: { id: "1", error: { code: -32000 } },
    });
    if ("leave" in other) other.leave();
    for (const method of ["none", "tasks/get", "message/send"])
      expect((await callEdge(full, rpc(method, {}), { key })).status).toBe(200);
  });

  test("do not count a call without a credential", async () => {
    const closed = edgeDeps(store, { inFlightMax: 0 });
    expect((await callEdge(closed, rpc("x"), {})).status).toBe(401);
  });
});

describe("params", () => {
  test("are refused with a pointer to every issue", async () => {
    const answer = await send({ review: { payer: {}, procedures: [] } });
    expect(answer).toMatchObject({ status: 200, json: { error: { code: -32602, message: "Invalid params" } } });
    expect(answer.json.error.data.issues).toEqual([
      { path: "/message/parts/0/data/serviceReview/payer/id", problem: "is required" },
      { path: "/message/parts/0/data/serviceReview/procedures", problem: "must have at least one procedure" },
    ]);
  });

  test.each([
    ["NUL", '"\\u0000"', "holds the character NUL"],
    ["half a surrogate pair", '"\\ud800"', "holds half of a surrogate pair"],
    [
      "a number that would be rounded",
      "9007199254740993",
      "is a number that would not be kept exactly; use fewer digits, or a string where one may stand",
    ],
    ["a prototype", '{"__proto__":{}}', "is a name that is not accepted"],
    ["a name given twice", '{"a":1,"a":1}', "is given twice"],
    ["nesting over 32 levels", "[".repeat(29) + "]".repeat(29), "is nested deeper than 32 levels"],
    ["nesting over 5,000 levels", "[".repeat(5_001) + "]".repeat(5_001), "is nested deeper than 32 levels"],
  ])("holding %s are refused, and nothing is written", async (_, json, problem) => {
    const before = await store.prisma.task.count({ where: { practiceId } });
    const text = JSON.stringify(
      rpc("message/send", intakeParams({ practiceId, message: { metadata: { hole: "hole" } } })),
    );
    const answer = await callEdge(deps, text.replace('"hole":"hole"', `"hole":${json}`), { key });
    expect(answer.json.error.code).toBe(-32602);
    expect(answer.json.error.data.issues).toEqual([
      { path: expect.stringMatching(/^\/message\/metadata\/hole/), problem },
    ]);
    expect(await store.prisma.task.count({ where: { practiceId } })).toBe(before);
  });

  test("may nest as deep as the limit", async () => {
    const text = JSON.stringify(
      rpc("message/send", intakeParams({ practiceId, message: { metadata: { hole: "hole" } } })),
    );
    const answer = await callEdge(deps, text.replace('"hole":"hole"', `"hole":${"[".repeat(28) + "]".repeat(28)}`), {
      key,
    });
    expect(answer.json.result.kind).toBe("task");
  });

  test("are refused for issues in a member beside them, too", async () => {
    const answer = await callEdge(
      deps,
      '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"},"more":1e999}',
      { key },
    );
    expect(answer.json.error.data.issues).toEqual([{ path: "", problem: expect.stringContaining("/more") }]);
  });
});
