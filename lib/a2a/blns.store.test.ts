import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";

// Safe because the list is an array of strings.
const strings = JSON.parse(
  readFileSync(new URL("../../test/vectors/blns/blns.json", import.meta.url), "utf8"),
) as string[];

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const call = (method: string, params: unknown, id?: unknown) => callEdge(deps, rpc(method, params, id), { key });

describe.concurrent.each(strings.map((text, index) => ({ text, index })))("string $index", ({ text, index }) => {
  test("is accepted as note, name, member and metadata, and comes back exactly", async () => {
    const patient = text.length >= 1 && text.length <= 200 ? { lastName: text } : {};
    const review = {
      payer: { id: "60054" },
      procedures: [{ code: "72148", description: text }],
      patient,
      [text]: text,
    };
    const parts = [{ kind: "text", text }];
    const message = { messageId: `blns-${index}`, metadata: { [text]: [text, { [text]: text }] } };
    const params = intakeParams({
      practiceId,
      review,
      parts,
      message,
      params: { configuration: { historyLength: 1 } },
    });
    const answer = await call("message/send", params);
    const known = ["payer", "procedures", "patient"].includes(text);
    const refused = text === "__proto__" || text.includes("\0") || !text.isWellFormed() || known;
    if (refused) {
      expect(answer.json.error.code).toBe(-32602);
      return;
    }
    expect(answer.json.result.history[0]).toMatchObject({
      parts: [{ data: { serviceReview: review } }, { text }],
      metadata: message.metadata,
    });
    const polled = await call("tasks/get", { id: answer.json.result.id, historyLength: 5 });
    expect(polled.json.result.history).toEqual(answer.json.result.history);
  });

  test("as a message id is remembered exactly", async () => {
    const params = intakeParams({ practiceId, message: { messageId: text } });
    const first = await call("message/send", params);
    const again = await call("message/send", params);
    if (first.json.error) expect([first.json.error.code, again.json.error.code]).toEqual([-32602, -32602]);
    else expect(again.json.result.id).toBe(first.json.result.id);
  });

  test("as id, method, skill, practice, task or context gets the proper error", async () => {
    expect((await call("tasks/get", {}, text)).json).toMatchObject({ id: text, error: { code: -32602 } });
    expect((await call(text, {})).json.error.code).toBe(-32601);
    expect((await call("message/send", intakeParams({ practiceId, data: { skill: text } }))).json.error.code).toBe(
      -32602,
    );
    expect([-32602, -32003]).toContain(
      (await call("message/send", intakeParams({ practiceId: text }))).json.error.code,
    );
    expect([-32602, -32001]).toContain((await call("tasks/get", { id: text })).json.error.code);
    expect([-32602, -32001]).toContain((await call("tasks/cancel", { id: text })).json.error.code);
    expect(
      (await call("message/send", intakeParams({ practiceId, message: { contextId: text } }))).json.error.code,
    ).toBe(-32602);
  });
});

test("no string caused an internal error", () => {
  expect(deps.lines.filter(({ level }) => level === 50)).toEqual([]);
});
