import { request } from "node:http";
import { expect, test } from "vitest";
import { aFirstBundle } from "#test/support/payer/pas/bundles";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";

type Reply = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

async function submit({ url }: RunningSimulator, names: Parameters<typeof aFirstBundle>[0] = {}): Promise<Reply> {
  const reply = await fetch(`${url}/fhir/Claim/$submit`, {
    method: "POST",
    headers: { Authorization: "Bearer right", "Content-Type": "application/fhir+json" },
    body: JSON.stringify(aFirstBundle(names)),
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const plan = (simulator: RunningSimulator, fault: object) => simulator.control("POST", "faults", fault);
const bundleIn = ({ bytes }: Reply) => JSON.parse(bytes.toString()) as Record<string, unknown>;

/** When each byte of a reply came, on a connection of its own. */
async function arrivals(simulator: RunningSimulator, count: number): Promise<number[]> {
  const body = JSON.stringify(aFirstBundle());
  const headers = { Authorization: "Bearer right", "Content-Type": "application/fhir+json" };
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    const sent = request(`${simulator.url}/fhir/Claim/$submit`, { method: "POST", headers }, (reply) => {
      reply.on("data", (chunk: Buffer) => {
        for (const _ of chunk) times.push(performance.now());
        if (times.length < count) return;
        resolve(times.slice(0, count));
        sent.destroy();
      });
    });
    sent.once("error", (error) => (times.length < count ? reject(error) : undefined));
    sent.end(body);
  });
}

test.each(["huge", "gzip-bomb"])(
  "the fault %s is as large as planned, and the answer is still in it",
  async (fault) => {
    const simulator = await aSimulator();
    await plan(simulator, { fault, mb: 20 });
    const got = await submit(simulator);
    expect(got.headers.get("content-encoding")).toBe(fault === "huge" ? null : "gzip");
    expect(got.bytes.length).toBeGreaterThan(20_000_000);
    expect(bundleIn(got)).toMatchObject({ resourceType: "Bundle" });
  },
);

test("the fault drip sends one byte after the other", async () => {
  const simulator = await aSimulator();
  await plan(simulator, { fault: "drip", ms: 20 });
  const times = await arrivals(simulator, 5);
  expect((times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(60);
});

test("the fault slow holds the whole answer back", async () => {
  const simulator = await aSimulator();
  await plan(simulator, { fault: "slow", ms: 200 });
  const startedAt = performance.now();
  expect(bundleIn(await submit(simulator))).toMatchObject({ resourceType: "Bundle" });
  expect(performance.now() - startedAt).toBeGreaterThan(190);
});

test.each(["rate-limited", "unavailable"])("the fault %s says when to come again", async (fault) => {
  const simulator = await aSimulator();
  await plan(simulator, { fault, retryAfterS: 7 });
  expect((await submit(simulator)).headers.get("retry-after")).toBe("7");
});

test("a fault of one member or one trace number strikes nobody else, as often as planned", async () => {
  const simulator = await aSimulator();
  await plan(simulator, { fault: "broken", memberId: "M7", times: 2 });
  await plan(simulator, { fault: "unavailable", trace: "T7" });
  const statuses = [];
  for (const names of [
    { memberId: "M1" },
    { memberId: "M7" },
    { name: "T7" },
    { memberId: "M7" },
    { memberId: "M7" },
    {},
  ])
    statuses.push((await submit(simulator, names)).status);
  expect(statuses).toEqual([200, 500, 503, 500, 200, 200]);
  expect((await simulator.control("GET", "faults")).body).toMatchObject({ planned: [] });
});

test("planned faults are taken back", async () => {
  const simulator = await aSimulator();
  await plan(simulator, { fault: "broken", times: 9 });
  await simulator.control("DELETE", "faults");
  expect((await submit(simulator)).status).toBe(200);
});

test.each([
  [{ fault: "nothing" }, "fault must be one of"],
  [{ fault: "drop", on: "push" }, "on must be submit"],
  [{ fault: "push-lost", on: "submit" }, "on must be push"],
  [{ fault: "drop", times: 0 }, "times must be"],
  [{ fault: "slow", ms: -1 }, "ms must be"],
  [{ fault: "slow", ms: "1" }, "ms must be"],
  [{ fault: "huge", mb: 0.5 }, "mb must be"],
  [{ fault: "rate-limited", retryAfterS: 1e9 }, "retryAfterS must be"],
])("a plan that cannot be is refused: %j", async (fault, problem) => {
  const simulator = await aSimulator();
  expect(await plan(simulator, fault)).toMatchObject({
    status: 400,
    body: { problem: expect.stringContaining(problem) },
  });
});
