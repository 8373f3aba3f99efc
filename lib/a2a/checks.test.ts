import { describe, expect, test } from "vitest";
import { atoms } from "#lib/access/model/actor";
import { agentCard } from "./card/agent-card.ts";
import { edgeDeps } from "#test/support/agents/edge";
import { faults } from "./reply/faults.ts";
import { checks } from "./checks.ts";
import { createLoad } from "./admit/load.ts";
import { callChecks } from "./serve.ts";

test("the checks run in the order of the design", () => {
  expect([...callChecks.ofArrival.names, ...callChecks.ofBody.names, ...callChecks.ofCaller.names]).toEqual([
    "http",
    "bytes",
    "envelope",
    "credential",
    "weight",
    "limits",
    "method",
    "params",
    "turn",
    "authority, task and state",
  ]);
});

test("every fault has the code and HTTP status of the design", () => {
  const table = Object.entries(faults).map(
    ([fault, { http, code, message }]) => `${fault}: ${http} ${code} ${message}`,
  );
  expect(table).toMatchInlineSnapshot(`
    [
      "method-not-allowed: 405 -32600 Invalid request",
      "unsupported-media-type: 415 -32600 Invalid request",
      "body-too-large: 413 -32600 Invalid request",
      "body-too-slow: 408 -32600 Invalid request",
      "not-http: 400 -32600 Invalid request",
      "not-json: 400 -32600 Invalid request",
      "not-a-request: 200 -32600 Invalid request",
      "no-credential: 401 -32003 Not authorised",
      "rate-exceeded: 429 -32000 Too many requests",
      "busy: 503 -32000 The service is busy",
      "recovering: 503 -32000 The service is being recovered",
      "unknown-method: 200 -32601 Method not found",
      "invalid-params: 200 -32602 Invalid params",
      "not-authorised: 200 -32003 Not authorised",
      "not-found: 200 -32001 Task not found",
      "not-withdrawable: 200 -32002 Task cannot be canceled",
      "out-of-state: 200 -32004 This operation is not supported",
      "unreadable: 200 -32004 This operation is not supported",
      "internal: 200 -32603 Internal error",
    ]
  `);
});

test("checks stop at the first fault and keep what the earlier ones returned", async () => {
  const reached: string[] = [];
  const three = checks<{ a: number }>()
    .add("one", ({ a }) => (reached.push("one"), { b: a + 1 }))
    .add("two", async ({ a, b }) => (reached.push("two"), a > 0 ? { fault: "busy" as const } : { c: b }))
    .add("three", ({ c }) => (reached.push("three"), { d: c }));
  const call = { a: 1 };
  expect(await three.run(call)).toEqual({ refused: { fault: "busy" } });
  expect(call).toEqual({ a: 1, b: 2 });
  expect(reached).toEqual(["one", "two"]);
  expect(await three.run({ a: 0 })).toEqual({ passed: { a: 0, b: 1, c: 1, d: 1 } });
});

describe("the load", () => {
  test("refuses a call over the capacity, and admits the next one after a call has left", () => {
    const load = createLoad({ store: edgeDeps().store, inFlightMax: 1 });
    const first = load.enter("a", {});
    expect(load.enter("b", {})).toEqual({ full: "busy", retryAfterS: 1 });
    if (!(first instanceof Promise) && "leave" in first) first.leave();
    expect(load.enter("b", {})).toHaveProperty("leave");
  });

  test("of a channel without limits is bounded only so that others find places, and needs no database", () => {
    const load = createLoad({ store: edgeDeps().store });
    const entered = (channelId: string) => {
      const isIn = () => "leave" in load.enter(channelId, {});
      return Array.from({ length: 512 }, isIn).filter(Boolean).length;
    };
    expect(entered("loud")).toBe(384);
    expect([entered("loud"), entered("quiet")]).toEqual([0, 128]);
  });
});

describe("the agent card", () => {
  const card = agentCard("https://pa.example.org/");

  test("has every field that A2A 0.3.0 requires, and declares what is not supported", () => {
    expect(card).toMatchObject({
      protocolVersion: "0.3.0",
      name: expect.any(String),
      description: expect.any(String),
      version: expect.any(String),
      url: "https://pa.example.org/api/a2a",
      preferredTransport: "JSONRPC",
      capabilities: { streaming: false, pushNotifications: false },
      defaultInputModes: ["application/json"],
      defaultOutputModes: ["application/json", "text/plain"],
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      security: [{ bearer: [] }],
    });
  });

  test("has an example for each skill that holds every required member of its schema", () => {
    expect(card.skills.map(({ id }) => id)).toEqual(atoms.filter((atom) => atom.startsWith("prior_auth_")));
    for (const { examples, inputSchema, tags } of card.skills) {
      expect(tags.length).toBeGreaterThan(0);
      const example = JSON.parse(examples[0]) as object;
      for (const name of inputSchema.required ?? []) expect(example).toHaveProperty(name);
    }
  });

  test("says of each member of a service review what it is, and the form of what has one", () => {
    const review = card.skills[0]?.inputSchema.properties?.["serviceReview"]?.properties ?? {};
    const line = review["procedures"]?.items?.properties ?? {};
    const undescribed = Object.entries(line).filter(([, { description, type }]) => !description && type !== "object");
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(line["toothCode"]).toMatchObject({ description: expect.stringContaining("Tooth"), examples: ["14"] });
    expect(review["fromDate"]).toMatchObject({ description: "First day", format: "date" });
    expect(review["homeHealth"]?.properties?.["prognosisCode"]).toMatchObject({ description: "Prognosis (X12 923)" });
  });
});
