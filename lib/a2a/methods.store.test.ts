import { v7 as uuidv7 } from "uuid";
import { afterAll, describe, expect, test } from "vitest";
import { declineGate } from "#lib/gate/decline-gate";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission, reportSent } from "#lib/submission/manual-submission";
import { aChannel, aHeldTask, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { requestedAccess } from "./params/requested-access.ts";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const call = (method: string, params?: unknown) => callEdge(deps, rpc(method, params), { key });
const send = (over: object = {}) => call("message/send", intakeParams({ practiceId, ...over }));

/** A task at its gate, with its agent's calls. */
async function held() {
  const task = await aHeldTask(store);
  const { taskId, channel, reviewer, seen } = task;
  const ask = (method: string, params: object = { id: taskId }) => callEdge(deps, rpc(method, params), channel);
  const transmit = async () => {
    await releaseGate(reviewer, { taskId, seen });
    await startManualSubmission(reviewer, { taskId, gateId: seen.gateId });
    await reportSent(reviewer, { delivery: "fax", taskId, gateId: seen.gateId, reference: "R-1" });
  };
  return { ...task, ask, transmit };
}

describe("message/send", () => {
  test("with the intake of the interface document is answered with the task in its state", async () => {
    const answer = await send();
    expect(answer.json).toMatchObject({
      jsonrpc: "2.0",
      id: "1",
      result: {
        kind: "task",
        state: "transmit-held",
        status: { state: "working" },
        practiceId,
        gate: { action: "transmit", status: "open" },
        history: [],
      },
    });
  });

  test("is for the practice that its data part names, whatever a part of another kind holds", async () => {
    const both = await aChannel(store, { practices: [practiceId, await aPractice(store)] });
    const { message } = intakeParams({ practiceId }) as { message: { parts: object[] } };
    for (const other of [...both.actor.practices, "no-such-practice"]) {
      const data = {
        skill: "prior_auth_void",
        practiceId: other,
        taskId: uuidv7(),
        serviceReview: { payer: { id: "60054" } },
      };
      const parts = [{ kind: "text", text: "See the data.", data }, ...message.parts];
      const answer = await callEdge(deps, rpc("message/send", { message: { ...message, parts } }), both);
      expect(answer.json).toMatchObject({ result: { practiceId, state: "transmit-held" } });
    }
    const params = {
      message: { ...message, parts: [{ kind: "text", text: "", data: { taskId: uuidv7() } }, ...message.parts] },
    };
    expect(requestedAccess("message/send", params)).toEqual({
      atom: "prior_auth_intake",
      practiceId,
      taskId: undefined,
    });
  });

  test("sent again with its messageId is the same task, and with other content an invalid message", async () => {
    const message = { messageId: uuidv7() };
    const first = await send({ message });
    expect((await send({ message })).json.result.id).toBe(first.json.result.id);
    const other = await send({ message, parts: [{ kind: "text", text: "other" }] });
    expect(other.json.error).toMatchObject({ code: -32602, data: { issues: [{ path: "/message/messageId" }] } });
  });

  test("sent again with other metadata or the context it learned is the same message", async () => {
    const message = { kind: "message", messageId: uuidv7() };
    const { id, contextId } = (await send({ message })).json.result;
    for (const more of [{ contextId }, { metadata: { try: 2 } }, { contextId, metadata: { try: 3 } }]) {
      expect((await send({ message: { ...message, ...more } })).json.result).toMatchObject({ id, version: 1 });
    }
  });

  test("says with the reply what a reviewer will be warned of, and why each missing member is", async () => {
    const review = {
      payer: { id: "60054" },
      procedures: [{ code: "72148", quantity: 0.5, colour: "red" }],
      patient: { lastName: "Gr\u0007eene", birthDate: "2190-01-01", subscriberRelationshipCode: "ZZ" },
      placeOfServiceCode: "97",
      serviceTypeCode: "ZZ",
    };
    const { warnings, status } = (await send({ review })).json.result;
    expect(warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`)).toEqual([
      "unknown-members /procedures/0/colour",
      "birth-date-ahead /patient/birthDate",
      "control-characters /patient/lastName",
      "unlisted-relationship /patient/subscriberRelationshipCode",
      "unlisted-place /placeOfServiceCode",
      "unlisted-service-type /serviceTypeCode",
    ]);
    expect(status.message.parts[1].data.warnings).toEqual(warnings);
    expect(
      (await send({ review: { ...review, procedures: [{ code: "72148", quantity: 1e-300 }] } })).json.error,
    ).toMatchObject({
      code: -32602,
      data: { issues: [{ problem: "must be at least 0.001" }] },
    });
  });

  test("lists the fields that the route needs, and accepts them in the next message", async () => {
    const routed = await aPractice(store);
    await aRoute(store, { practiceId: routed });
    const channel = await aChannel(store, { practices: [routed] });
    const review = { payer: { id: "87042" }, procedures: [{ code: "72148" }] };
    const first = await callEdge(deps, rpc("message/send", intakeParams({ practiceId: routed, review })), channel);
    const { id, state, status, nextAction, missing } = first.json.result;
    expect({ state, a2a: status.state, by: nextAction.by }).toEqual({
      state: "needs-information",
      a2a: "input-required",
      by: "agent",
    });
    expect(missing).toContain("/subscriber/memberId");
    const more = intakeParams({
      practiceId: routed,
      review: { ...review, fromDate: "2027-01-11" },
      message: { taskId: id },
    });
    const second = await callEdge(deps, rpc("message/send", more), channel);
    expect(second.json.result).toMatchObject({ id, revision: { number: 2 } });
  });

  test("after a message gives what came after it, and refuses a message that is not the task's", async () => {
    const { id } = (await send({ message: { messageId: "one" } })).json.result;
    const more = (over: object) => send({ message: { taskId: id, ...over } });
    // Without an id of its own, a message has that of its content, whatever was noted beside it.
    await more({ metadata: { try: 1 } });
    await more({ messageId: "three" });
    const history = async (metadata: object, historyLength?: number) =>
      (await call("tasks/get", { id, metadata, historyLength })).json.result.history.map(
        ({ messageId }: { messageId: string }) => messageId,
      );
    const [one, two, three] = await history({}, 9);
    expect([one, three]).toEqual(["one", "three"]);
    expect(await history({ historyAfter: one })).toEqual([two, three]);
    expect(await history({ historyAfter: two })).toEqual([three]);
    expect(await history({ historyAfter: one }, 1)).toEqual([three]);
    expect(await history({ historyAfter: three })).toEqual([]);
    expect((await call("tasks/get", { id, metadata: { historyAfter: "four" } })).json.error.data.issues).toEqual([
      { path: "/metadata/historyAfter", problem: "is not the id of a message of this task" },
    ]);
  });

  test("that the state does not allow is -32004 with the state", async () => {
    const { ask, practiceId: own, taskId, transmit } = await held();
    const review = { payer: { id: "60054" }, procedures: [{ code: "72149" }] };
    await transmit();
    const answer = await ask("message/send", intakeParams({ practiceId: own, review, message: { taskId } }));
    expect(answer.json.error).toEqual({
      code: -32004,
      message: "This operation is not supported",
      data: { state: "transmitted", requestId: expect.any(String) },
    });
  });

  test("with a void opens a gate for the request that the payer has", async () => {
    const { ask, practiceId: own, taskId, transmit } = await held();
    const params = intakeParams({
      practiceId: own,
      data: { skill: "prior_auth_void", taskId, reason: "Cancelled.", serviceReview: undefined },
    });
    expect((await ask("message/send", params)).json.error).toMatchObject({
      code: -32004,
      data: { state: "transmit-held", requestId: expect.any(String) },
    });
    await transmit();
    expect((await ask("message/send", params)).json.result).toMatchObject({
      id: taskId,
      state: "void-held",
      gate: { action: "void", status: "open" },
    });
  });
});

describe("tasks/get", () => {
  test("shows a release at the next poll, with the id in any letter case and the requested history", async () => {
    const { ask, reviewer, taskId, seen } = await held();
    expect((await ask("tasks/get")).json.result).toMatchObject({ state: "transmit-held", history: [] });
    await releaseGate(reviewer, { taskId, seen });
    const { result } = (await ask("tasks/get", { id: taskId.toUpperCase(), historyLength: 1 })).json;
    expect(result).toMatchObject({
      state: "transmit-released",
      gate: { status: "released", decidedAt: expect.any(String) },
    });
    expect(result.history).toHaveLength(1);
  });

  test.each(["x", "", uuidv7(), "00000000-0000-0000-0000-000000000000"])(
    "of %j, which is the id of no task, is -32001",
    async (id) => {
      expect((await call("tasks/get", { id })).json.error).toEqual({
        code: -32001,
        message: "Task not found",
        data: { requestId: expect.any(String) },
      });
    },
  );

  test("never names a reviewer", async () => {
    const { ask, reviewer, taskId, seen } = await held();
    await declineGate(reviewer, { taskId, seen, reason: "Not covered." });
    const { text } = await ask("tasks/get", { id: taskId, historyLength: 100 });
    expect(text).toContain("Not covered.");
    for (const secret of [reviewer.actor.name, reviewer.actor.id]) expect(text).not.toContain(secret);
  });
});

describe("tasks/cancel", () => {
  test("withdraws a task, and again without a change", async () => {
    const { ask } = await held();
    const first = await ask("tasks/cancel");
    expect(first.json.result).toMatchObject({ state: "withdrawn", status: { state: "canceled" } });
    expect((await ask("tasks/cancel")).json.result).toEqual(first.json.result);
  });

  test("of a declined task is -32002 with the state alone", async () => {
    const { ask, reviewer, taskId, seen } = await held();
    await declineGate(reviewer, { taskId, seen, reason: "No." });
    expect((await ask("tasks/cancel")).json.error).toEqual({
      code: -32002,
      message: "Task cannot be canceled",
      data: { state: "declined", requestId: expect.any(String) },
    });
  });

  test("of a task that the payer has is -32002 and names the void to use", async () => {
    const { ask, transmit } = await held();
    await transmit();
    expect((await ask("tasks/cancel")).json.error).toMatchObject({
      code: -32002,
      data: { state: "transmitted", use: "prior_auth_void", requestId: expect.any(String) },
    });
  });
});

test("neither reply nor log holds a key, and the log holds nothing that was sent", async () => {
  const own = edgeDeps(store);
  const secret = "Okafor-Lindqvist";
  const params = intakeParams({
    practiceId,
    review: {
      payer: { id: "60054" },
      procedures: [{ code: "72148", description: secret }],
      patient: { lastName: secret },
    },
    parts: [{ kind: "text", text: secret }],
  });
  const answer = await callEdge(own, rpc("message/send", params, secret), { key });
  await callEdge(own, rpc(secret, params, secret), { key });
  expect(answer.text).not.toContain(key);
  expect(answer.text.replace(`"id":"${secret}"`, "")).not.toContain(secret);
  expect(own.lines).toHaveLength(2);
  expect(JSON.stringify(own.lines)).not.toContain(secret);
  expect(JSON.stringify(own.lines)).not.toContain(key);
  expect(own.lines[0]).toMatchObject({
    method: "message/send",
    channel: expect.any(String),
    requestId: expect.any(String),
  });
});
