import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "#lib/store/audit-chain";
import { recordWants } from "#lib/tasks/record-payer-answer";
import { releaseGate } from "#lib/tasks/release-gate";
import { beginSending, reportSent } from "#lib/tasks/send-by-hand";
import { actsOf, aChannel, aHeldTask, aStore, keyPepper, receiptKey, sealingKey, smallReview } from "#test/cases";
import { testDatabase } from "#test/database";

const store = aStore();
afterAll(() => store.close());

let servers: readonly { readonly url: string; readonly end: () => void }[];
beforeAll(async () => {
  servers = await Promise.all([aServer(), aServer()]);
});
afterAll(() => servers.forEach(({ end }) => end()));

/** The endpoint in a process of its own. */
async function aServer() {
  const keys = Object.entries({ sealingKey, receiptKey, keyPepper }).map(([name, key]) => [
    name,
    key.toString("base64"),
  ]);
  const given = JSON.stringify({ url: testDatabase.appUrl, ...Object.fromEntries(keys) });
  const child = fork("test/edge-process.ts", { env: { ...process.env, EDGE_STORE: given }, execArgv: [] });
  // Safe because its first message says where it listens.
  const [url] = (await once(child, "message")) as [string];
  return { url: `${url}/api/a2a`, end: () => void child.kill("SIGKILL") };
}

type Answer = { readonly result?: { readonly id: string }; readonly error?: { readonly code: number } };

async function send(server: number, key: string, message: object): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const reply = await fetch(servers[server % servers.length]?.url ?? "", { method: "POST", headers, body });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Answer;
}

/** A case of a practice with two channels, where it waits for its agent or for a release. */
async function aCase(state: "transmit-held" | "payer-needs-information") {
  const held = await aHeldTask(store);
  const { practiceId, reviewer, taskId, seen, channel } = held;
  const other = await aChannel(store, { practices: [practiceId] });
  if (state === "payer-needs-information") {
    const { gateId } = seen;
    await releaseGate(reviewer, { taskId, seen });
    await beginSending(reviewer, { taskId, gateId });
    await reportSent(reviewer, { taskId, gateId, delivery: "fax" });
    expect(await recordWants(reviewer, { taskId, wants: "The imaging report." })).toMatchObject({
      ok: true,
      value: { state },
    });
  }
  return { practiceId, taskId, keys: [channel.key, other.key] };
}

const amendmentOf = ({ practiceId, taskId }: { practiceId: string; taskId: string }, messageId: string) => {
  const data = { skill: "prior_auth_intake", practiceId, serviceReview: smallReview };
  const parts = [
    { kind: "data", data },
    { kind: "text", text: `Amendment ${messageId}` },
  ];
  return { role: "user", messageId, taskId, parts };
};

describe.each([
  { count: 50, state: "transmit-held" },
  { count: 20, state: "payer-needs-information" },
] as const)("$count amendments of one task at once, at two servers and by two channels, $state", ({ count, state }) => {
  test("are all accepted in some order: each is a revision and an entry on record, and each said twice is one", async () => {
    const its = await aCase(state);
    const before = await actsOf(store, its.taskId);
    const numbers = Array.from({ length: count }, (_, number) => number);
    const all = () =>
      Promise.all(
        numbers.map((number) =>
          send(number, its.keys[(number >> 1) % 2] ?? "", amendmentOf(its, `amendment-${number}`)),
        ),
      );
    const answers = await all();
    expect(answers.filter(({ error }) => error)).toEqual([]);
    expect(new Set(answers.map(({ result }) => result?.id))).toEqual(new Set([its.taskId]));
    expect(await all()).toMatchObject(numbers.map(() => ({ result: { id: its.taskId } })));
    const acts = await actsOf(store, its.taskId);
    expect(acts.slice(before.length)).toEqual(numbers.map(() => "task.amended"));
    const revisions = await store.prisma.revision.findMany({
      where: { taskId: its.taskId },
      orderBy: { number: "asc" },
    });
    expect(revisions.map(({ number }) => number)).toEqual([1, ...numbers.map((number) => number + 2)]);
    expect((await verifyAudit(store, its.practiceId)).map(({ broken }) => broken)).toEqual([undefined]);
  });
});
