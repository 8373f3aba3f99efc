import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { exactValue } from "#test/support/agents/exact";

const suite = join(import.meta.dirname, "../../test/vectors/json-test-suite");
const cases = ["test_parsing", "test_transform"].flatMap((folder) =>
  readdirSync(join(suite, folder)).map((name) => ({ name, bytes: readFileSync(join(suite, folder, name)) })),
);

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });

/** The bytes of a call with the bytes of the case in place of `hole`. */
function callAround(bytes: Uint8Array, params: object): Uint8Array {
  const [before = "", after = ""] = JSON.stringify(rpc("message/send", params)).split('"hole"');
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

const history = { configuration: { historyLength: 1 } };
const exactTask = (text: string) =>
  exactValue(text) as { result: { history: { parts: { data?: { serviceReview: { extra: unknown } } }[] }[] } };

test("the suite has its cases", () => {
  expect(cases.length).toBeGreaterThan(330);
});

describe.concurrent.each(cases)("$name", ({ name, bytes }) => {
  test("as the whole body is refused", async () => {
    const answer = await callEdge(deps, bytes, { key });
    expect(answer.json.error.code).toBe(-32600);
    expect(answer.status).toBe(name.startsWith("n_") ? 400 : answer.status);
    expect([200, 400]).toContain(answer.status);
  });

  test("as a member of the service review comes back exactly or is refused", async () => {
    const review = { payer: { id: "60054" }, procedures: [{ code: "72148" }], extra: "hole" };
    const answer = await callEdge(deps, callAround(bytes, intakeParams({ practiceId, review, params: history })), {
      key,
    });
    if (name.startsWith("n_")) expect(answer).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
    if (/duplicated|same_key/.test(name)) expect(answer.json.error.code).toBe(-32602);
    if (answer.json.error) {
      expect([-32600, -32602]).toContain(answer.json.error.code);
      return;
    }
    const sent = exactValue(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    expect(exactTask(answer.text).result.history[0]?.parts[0]?.data?.serviceReview.extra).toEqual(sent);
  });

  test("as the value of a note is accepted only if it is text, and then comes back exactly", async () => {
    const params = intakeParams({ practiceId, parts: [{ kind: "text", text: "hole" }], params: history });
    const answer = await callEdge(deps, callAround(bytes, params), { key });
    if (answer.json.error) {
      expect([-32600, -32602]).toContain(answer.json.error.code);
      return;
    }
    expect(answer.json.result.history[0].parts[1].text).toBe(JSON.parse(bytes.toString()));
  });

  test("as the text of a note comes back exactly or is refused", async () => {
    const text = bytes.toString("latin1");
    const params = intakeParams({ practiceId, parts: [{ kind: "text", text }], params: history });
    const answer = await callEdge(deps, rpc("message/send", params), { key });
    if (answer.json.error) expect(answer.json.error.code).toBe(-32602);
    else expect(answer.json.result.history[0].parts[1].text).toBe(text);
  });
});

test("no case caused an internal error, and many were accepted", () => {
  expect(deps.lines.filter(({ level }) => level === 50)).toEqual([]);
  expect(deps.lines.filter(({ fault }) => fault === undefined).length).toBeGreaterThan(300);
});
