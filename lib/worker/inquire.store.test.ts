import { afterAll, expect, test } from "vitest";
import { aRoute, aStore, theWorker } from "#test/support/cases/cases";
import { edgeDeps } from "#test/support/agents/edge";
import { aPayer } from "#test/support/payer/pas/listen";
import { anAnsweredTask } from "#test/support/cases/sent-cases";
import { unguarded } from "#test/support/database/ledgers";
import { inquire } from "./inquire.ts";

const store = aStore();
const { log } = edgeDeps();
afterAll(() => store.close());

/** A pended case at a payer that answers every inquiry like this. */
async function aCaseAt(status: number, headers: Record<string, string> = {}, body: object = {}) {
  const url = await aPayer(
    (request, response) =>
      void request.resume().on("end", () => response.writeHead(status, headers).end(JSON.stringify(body))),
  );
  const { taskId, practiceId } = await anAnsweredTask(store, { type: "accepted" });
  await store.prisma.route.updateMany({ where: { practiceId }, data: { url: `${url}/fhir` } });
  return taskId;
}

test("a payer that sends Retry-After is not asked before that time, and no person is involved", async () => {
  const taskId = await aCaseAt(429, { "Retry-After": "7200" });
  const before = Date.now();
  await inquire(theWorker(store), { log, deadlineMs: 20_000, guard: unguarded }, taskId);
  const { attention } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  const { dueAt } = await store.prisma.nextInquiry.findUniqueOrThrow({ where: { taskId } });
  expect(dueAt.getTime()).toBeGreaterThanOrEqual(before + 7_190_000);
  expect(attention).toBe(null);
});

test.each([401, 404, 500, 503])(
  "a payer that answers an inquiry with HTTP %i is asked again without limit",
  async (status) => {
    const taskId = await aCaseAt(status);
    await inquire(theWorker(store), { log, deadlineMs: 20_000, guard: unguarded }, taskId);
    const { attention } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    expect([await store.prisma.nextInquiry.count({ where: { taskId } }), attention]).toEqual([1, null]);
  },
);

test("a payer that answers an inquiry with an error in place of what it has found is for a person", async () => {
  const resource = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "exception" }] };
  const parameters = { resourceType: "Parameters", parameter: [{ name: "return", resource }] };
  const taskId = await aCaseAt(200, { "Content-Type": "application/fhir+json" }, parameters);
  await inquire(theWorker(store), { log, deadlineMs: 20_000, guard: unguarded }, taskId);
  const { attention } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
  expect(attention).not.toBe(null);
});

test("a payer is still asked once its connection has a new version that reaches the same server, and elsewhere never", async () => {
  const paths: (string | undefined)[] = [];
  const url = await aPayer((request, response) => {
    paths.push(request.url);
    request.resume().on("end", () => response.writeHead(503).end("{}"));
  });
  const { taskId, practiceId } = await anAnsweredTask(store, { type: "accepted" });
  await store.prisma.route.updateMany({ where: { practiceId }, data: { url: `${url}/fhir` } });
  const asks = () => inquire(theWorker(store), { log, deadlineMs: 20_000, guard: unguarded }, taskId);
  await aRoute(store, { practiceId, version: 2, url: `${url}/fhir/v2` });
  await asks();
  expect(paths).toEqual([expect.stringMatching(/^\/fhir\/v2\//)]);
  await aRoute(store, { practiceId, version: 3, url: "http://127.0.0.1:9/fhir" });
  await asks();
  expect(paths).toHaveLength(1);
});
