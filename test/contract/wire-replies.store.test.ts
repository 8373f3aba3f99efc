import { afterAll, expect, test } from "vitest";
import { cancelTask } from "#lib/task/cancel-task";
import { declineGate } from "#lib/gate/decline-gate";
import { expireGate } from "#lib/gate/expire-gate";
import { releaseGate } from "#lib/gate/release-gate";
import { requestInformation } from "#lib/gate/request-information";
import type { PayerAnswer } from "#lib/payer/connector";
import { aChannel, aHeldTask, aPractice, aStore, fullReview, smallReview, theWorker } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { anAnsweredTask, approved, aReleasedTask, aTransmittingTask } from "#test/support/cases/sent-cases";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);

type Line = { readonly name: string; readonly status: number; readonly retry: boolean; readonly body: unknown };

/** Replies as they were told, in order; what differs from run to run is replaced by what it is. */
const lines: Line[] = [];

const named = new Map<string, string>();

function stable(text: string): string {
  const name = (kind: string) => (found: string) => {
    const known =
      named.get(found) ?? `<${kind} ${[...named.values()].filter((each) => each.startsWith(`<${kind}`)).length + 1}>`;
    named.set(found, known);
    return known;
  };
  return text
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<instant>")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, name("id"))
    .replace(/(?<=>-)\d{13}\b/g, "<milliseconds>")
    .replace(/\b[0-9a-f]{64}\b/g, name("digest"))
    .replace(/\b20\d{2}-\d{2}-\d{2}\b/g, "<day>")
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}[^"]*?(?:[A-Z]{3,4})\b/g, "<clock>");
}

async function record(name: string, body: unknown, options: Parameters<typeof callEdge>[2] = {}): Promise<void> {
  named.clear();
  const answer = await callEdge(deps, body, options);
  const reply: unknown = JSON.parse(stable(answer.text));
  lines.push({ name, status: answer.status, retry: "retry-after" in answer.headers, body: reply });
}

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const nobody = "01a2baf3-0000-7000-8000-000000000000";

/** Bodies and envelopes that are wrong, by what is wrong with them. */
const envelopes: Readonly<Record<string, unknown>> = {
  "no JSON": "{",
  nothing: "",
  "a byte order mark": "\ufeff{}",
  "not UTF-8": new Uint8Array([0x7b, 0xff, 0x7d]),
  "a text": '"x"',
  "a number": "1",
  null: "null",
  "a batch": [rpc("tasks/get", { id: nobody })],
  "an empty batch": [],
  "no version": { id: 1, method: "tasks/get" },
  "version 1.0": { jsonrpc: "1.0", id: 1, method: "tasks/get" },
  "a notification": { jsonrpc: "2.0", method: "tasks/get", params: { id: nobody } },
  "id null": { jsonrpc: "2.0", id: null, method: "tasks/get" },
  "id a list": { jsonrpc: "2.0", id: [], method: "tasks/get" },
  "id a fraction": '{"jsonrpc":"2.0","id":1.5,"method":"tasks/get"}',
  "id too large": '{"jsonrpc":"2.0","id":9007199254740993,"method":"tasks/get"}',
  "a method that is a number": { jsonrpc: "2.0", id: 1, method: 7 },
  "no method": { jsonrpc: "2.0", id: 1 },
  "params a text": { jsonrpc: "2.0", id: 1, method: "tasks/get", params: "x" },
  "the id twice": '{"jsonrpc":"2.0","id":1,"id":2,"method":"tasks/get"}',
  "another member": { ...rpc("tasks/get", { id: nobody }), more: 1 },
  "too deep": `{"jsonrpc":"2.0","id":1,"method":"x","params":${"[".repeat(40)}${"]".repeat(40)}}`,
};

/** Params that are wrong, by method. */
const params: readonly (readonly [name: string, method: string, params: unknown])[] = [
  ...[
    undefined,
    null,
    [],
    {},
    { id: "" },
    { id: 7 },
    { id: "x" },
    { id: "a\0b" },
    { id: nobody, historyLength: -1 },
  ].map((given) => [`get ${JSON.stringify(given)}`, "tasks/get", given] as const),
  ...[1.5, "1", 1001, null].map(
    (historyLength) => [`get history ${historyLength}`, "tasks/get", { id: nobody, historyLength }] as const,
  ),
  ...[undefined, {}, { id: nobody, metadata: { a: 1 } }, { id: nobody, metadata: 1 }].map(
    (given) => [`cancel ${JSON.stringify(given)}`, "tasks/cancel", given] as const,
  ),
  ...["message/stream", "tasks/resubscribe", "tasks/list", "", "__proto__"].map(
    (method) => [`method ${method}`, method, { id: nobody }] as const,
  ),
];

/** Intakes that are wrong, and what they lay over a good one. */
const intakes: Readonly<Record<string, object | string>> = {
  "no message": {},
  "no parts": { message: { role: "user", parts: [] } },
  "role agent": intakeParams({ practiceId, message: { role: "agent" } }),
  "kind task": intakeParams({ practiceId, message: { kind: "task" } }),
  "a message id of 300": intakeParams({ practiceId, message: { messageId: "m".repeat(300) } }),
  "a context of 0": intakeParams({ practiceId, message: { contextId: "" } }),
  "a task of no id": intakeParams({ practiceId, message: { taskId: "x" } }),
  "a stranger's task": intakeParams({ practiceId, message: { taskId: nobody } }),
  "a stranger's practice": intakeParams({ practiceId: "elsewhere" }),
  "no skill": intakeParams({ practiceId, data: { skill: undefined } }),
  "another skill": intakeParams({ practiceId, data: { skill: "poetry" } }),
  "a part of another kind": intakeParams({ practiceId, parts: [{ kind: "video" }] }),
  "two data parts": intakeParams({ practiceId, parts: [{ kind: "data", data: {} }] }),
  "an empty note": intakeParams({ practiceId, parts: [{ kind: "text", text: "" }] }),
  "a file by address": intakeParams({ practiceId, parts: [{ kind: "file", file: { uri: "https://a.example/x" } }] }),
  "a file of no base64": intakeParams({ practiceId, parts: [{ kind: "file", file: { bytes: "*" } }] }),
  "an empty file": intakeParams({ practiceId, parts: [{ kind: "file", file: { bytes: "" } }] }),
  "a lone surrogate":
    '{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"\\ud800"}]}}}',
  blocking: intakeParams({ practiceId, params: { configuration: { blocking: true } } }),
  pushes: intakeParams({
    practiceId,
    params: { configuration: { pushNotificationConfig: { url: "https://a.example" } } },
  }),
};

/** Reviews, each with one field that will not do or that nobody knows. */
const reviews: readonly (readonly [name: string, review: unknown])[] = [
  ["no review", undefined],
  ["a list", []],
  ["no payer", { ...smallReview, payer: undefined }],
  ["payer without id", { ...smallReview, payer: {} }],
  ["no procedures", { ...smallReview, procedures: [] }],
  ["100 procedures", { ...smallReview, procedures: Array.from({ length: 100 }, () => ({ code: "72148" })) }],
  ["a procedure without code", { ...smallReview, procedures: [{}] }],
  ["an unknown member", { ...smallReview, colour: "blue" }],
  ["an unknown member of a line", { ...smallReview, procedures: [{ code: "72148", colour: "blue" }] }],
  ...Object.keys(fullReview).map((member) => [`${member} a number`, { ...fullReview, [member]: 7 }] as const),
  ...["1979-02-30", "79-04-02", "19790402", ""].map(
    (birthDate) => [`born ${birthDate}`, { ...fullReview, patient: { ...fullReview.patient, birthDate } }] as const,
  ),
  ...["1234567890", "123", "", "12345678AB"].map(
    (npi) => [`npi ${npi}`, { ...fullReview, requestingProvider: { ...fullReview.requestingProvider, npi } }] as const,
  ),
  ["a quantity of 0", { ...smallReview, procedures: [{ code: "72148", quantity: 0 }] }],
  ["a quantity of a text", { ...smallReview, procedures: [{ code: "72148", quantity: "1" }] }],
  ["whole", smallReview],
];

const answers: Readonly<Record<string, PayerAnswer>> = {
  approved: { type: "decided", determination: approved },
  "approved with changes": { type: "decided", determination: { ...approved, outcome: "modified" } },
  denied: { type: "decided", determination: { ...approved, outcome: "denied" } },
  pended: { type: "accepted", reference: "R1" },
  "pended, wants more": {
    type: "accepted",
    reference: "R1",
    informationRequest: { text: "Clinical notes of the last three months.", items: [] },
  },
  unreadable: { type: "unknown", reason: "The reply is no JSON." },
  "refused, correct it": { type: "rejected", reason: "AAA 72", correction: "correctable" },
};

type Case = Pick<Awaited<ReturnType<typeof aHeldTask>>, "channel" | "reviewer" | "taskId" | "practiceId">;

/** Cases in every state, by how they came there. */
const cases: Readonly<Record<string, () => Promise<Case>>> = {
  "at its gate": () => aHeldTask(store),
  incomplete: () => aHeldTask(store, { routed: true, review: fullReview }),
  declined: async () => {
    const held = await aHeldTask(store);
    await declineGate(held.reviewer, {
      taskId: held.taskId,
      seen: held.seen,
      code: "duplicate",
      reason: "Sent twice.",
    });
    return held;
  },
  "sent back": async () => {
    const held = await aHeldTask(store);
    await requestInformation(held.reviewer, { taskId: held.taskId, seen: held.seen, question: "Which knee?" });
    return held;
  },
  expired: async () => {
    const held = await aHeldTask(store);
    await store.prisma.gate.updateMany({
      where: { taskId: held.taskId },
      data: { openedAt: new Date(0), expiresAt: new Date(1_000) },
    });
    await expireGate(theWorker(store), { taskId: held.taskId });
    return held;
  },
  withdrawn: async () => {
    const held = await aHeldTask(store);
    await cancelTask(held.channel, { taskId: held.taskId });
    return held;
  },
  "released for a person": async () => {
    const held = await aHeldTask(store);
    await releaseGate(held.reviewer, { taskId: held.taskId, seen: held.seen });
    return held;
  },
  released: () => aReleasedTask(store),
  "being sent": () => aTransmittingTask(store),
  ...Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, () => anAnsweredTask(store, answer)])),
};

/** What an agent may do to a case in any state, in order. */
const acts: readonly (readonly [name: string, method: string, params: (of: Case) => object])[] = [
  ["get", "tasks/get", ({ taskId }) => ({ id: taskId })],
  ["get with history", "tasks/get", ({ taskId }) => ({ id: taskId, historyLength: 10 })],
  [
    "amend",
    "message/send",
    ({ taskId, practiceId: of }) => intakeParams({ practiceId: of, message: { taskId, messageId: "m-2" } }),
  ],
  [
    "amend again with the same message",
    "message/send",
    ({ taskId, practiceId: of }) => intakeParams({ practiceId: of, message: { taskId, messageId: "m-2" } }),
  ],
  [
    "void",
    "message/send",
    ({ taskId, practiceId: of }) => ({
      message: {
        role: "user",
        taskId,
        parts: [{ kind: "data", data: { skill: "prior_auth_void", practiceId: of, reason: "No longer needed." } }],
      },
    }),
  ],
  ["cancel", "tasks/cancel", ({ taskId }) => ({ id: taskId })],
  ["cancel again", "tasks/cancel", ({ taskId }) => ({ id: taskId })],
];

test("every reply is what it was, byte for byte but for ids, digests and instants", async () => {
  for (const [name, body] of Object.entries(envelopes)) await record(`envelope: ${name}`, body, { key });
  for (const method of ["GET", "PUT"]) await record(`http: ${method}`, "", { key, method });
  await record("http: text/plain", "{}", { key, headers: { "content-type": "text/plain" } });
  await record("http: compressed", "{}", { key, headers: { "content-encoding": "gzip" } });
  for (const bearer of [undefined, "x", `${key}x`]) {
    await record(`credential: ${bearer === undefined ? "none" : bearer.length}`, rpc("tasks/get", { id: nobody }), {
      key: bearer,
    });
  }
  for (const [name, method, given] of params) await record(`params: ${name}`, rpc(method, given), { key });
  for (const [name, given] of Object.entries(intakes)) {
    await record(`intake: ${name}`, typeof given === "string" ? given : rpc("message/send", given), { key });
  }
  for (const [name, review] of reviews) {
    await record(`review: ${name}`, rpc("message/send", intakeParams({ practiceId, review })), { key });
  }
  for (const [name, open] of Object.entries(cases)) {
    const opened = await open();
    for (const [act, method, given] of acts) {
      await record(`case ${name}: ${act}`, rpc(method, given(opened)), { key: opened.channel.key });
    }
  }
  expect(lines.length).toBeGreaterThan(200);
  await expect(`${JSON.stringify(lines, null, 1)}\n`).toMatchFileSnapshot("wire-replies.json");
});
