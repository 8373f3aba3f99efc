import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aFirstBundle, anUpdateOf, certify, resourceIn, type Json } from "#test/support/payer/pas/bundles";
import { example } from "#test/support/payer/pas/example";
import { aPayer } from "#test/support/payer/pas/listen";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";

type TakenPush = { readonly headers: IncomingHttpHeaders; readonly body: Json };

/** A receiver of notifications; `statuses` are its first answers, after which it answers 200. */
async function aReceiver(statuses: number[] = []): Promise<{ url: string; taken: TakenPush[] }> {
  const taken: TakenPush[] = [];
  const url = await aPayer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      taken.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  return { url: `${url}/hook`, taken };
}

/** The official Subscription, for the official requester's identifier. */
function aSubscription(endpoint: string, filter = "orgIdentifier=8189991234"): Json {
  // Safe because an official example is an object.
  const subscription = structuredClone(example("2.2.1/Subscription-PASSubscriptionExample")) as Json;
  const channel = subscription["channel"] as Json;
  Object.assign(channel, { endpoint, header: ["Authorization: Bearer hook-secret", "X-Hook: 1"] });
  const [extension] = (subscription["_criteria"] as { extension: Json[] }).extension;
  Object.assign(extension ?? {}, { valueString: filter });
  return subscription;
}

async function subscribed({
  statuses,
  filter,
  base = "/fhir",
}: { statuses?: number[]; filter?: string; base?: string } = {}) {
  const simulator = await aSimulator();
  const receiver = await aReceiver(statuses);
  const { status, body } = await simulator.post(`${base}/Subscription`, aSubscription(receiver.url, filter));
  expect(status).toBe(201);
  await expect.poll(async () => (await standingsOf(simulator))[0]?.["status"]).toBe("active");
  return { simulator, ...receiver, id: String(body["id"]) };
}

const standingsOf = async ({ control }: RunningSimulator) =>
  (await control("GET", "subscriptions")).body["subscriptions"] as Json[];
const pushesOf = async ({ control }: RunningSimulator) => (await control("GET", "pushes")).body["pushes"] as Json[];
const get = async ({ url }: RunningSimulator, path: string, method = "GET") =>
  fetch(`${url}${path}`, { method, headers: { Authorization: "Bearer right" } });

/** A pended case that is decided by hand. */
async function decided(simulator: RunningSimulator, name: string, action = "A1"): Promise<void> {
  await simulator.post("/fhir/Claim/$submit", aFirstBundle({ name, memberId: "M1-PEND" }));
  await simulator.control("POST", "decide", { trace: name, action });
}

/** Until then the simulator still has to note it in its file. */
const allDelivered = (simulator: RunningSimulator) =>
  expect.poll(async () => (await pushesOf(simulator)).map(({ state }) => state)).toEqual(["delivered"]);

const eventsIn = (taken: readonly TakenPush[]) =>
  taken.slice(1).map(({ body }) => /"event-number","valueString":"(\d+)"/.exec(JSON.stringify(body))?.[1]);
const responseIn = ({ body }: TakenPush) => {
  const [, focus] = body["entry"] as { resource: Json }[];
  return resourceIn(focus?.resource ?? {}, "ClaimResponse");
};

test("a subscription is greeted, with the headers it asked for, and told where it stands", async () => {
  const { simulator, taken, id } = await subscribed();
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({
    headers: { authorization: "Bearer hook-secret", "x-hook": "1", "content-type": "application/fhir+json" },
    body: {
      resourceType: "Bundle",
      type: "history",
      meta: { tag: [{ code: "HTEST" }] },
      entry: [{ resource: { resourceType: "Parameters" }, request: { method: "GET" }, response: { status: "200" } }],
    },
  });
  expect(JSON.stringify(taken[0]?.body)).toContain('"handshake"');
  const shown = (await (await get(simulator, `/fhir/Subscription/${id}`)).json()) as Json;
  expect(shown).toMatchObject({ id, status: "active" });
  expect(JSON.stringify(shown)).not.toContain("hook-secret");
  const status = (await (await get(simulator, `/fhir/Subscription/${id}/$status`)).json()) as Json;
  expect(JSON.stringify(status)).toContain('"query-status"');
});

test.each(["orgIdentifier=8189991234", "org-identifier=8189991234", "orgIdentifier=1,8189991234"])(
  "with the filter %s a decision is pushed as the whole response bundle",
  async (filter) => {
    const { simulator, taken, id } = await subscribed({ filter });
    await decided(simulator, "case-1", "A3");
    await expect.poll(() => taken).toHaveLength(2);
    const [, notification] = taken;
    const [status, focus] = (notification?.body["entry"] ?? []) as { fullUrl: string; resource: Json }[];
    expect(JSON.stringify(status)).toContain(`/fhir/Subscription/${id}`);
    expect(status?.resource).toMatchObject({
      parameter: expect.arrayContaining([
        { name: "type", valueCode: "event-notification" },
        {
          name: "notification-event",
          part: expect.arrayContaining([{ name: "focus", valueReference: { reference: focus?.fullUrl } }]),
        },
      ]),
    });
    expect(focus?.resource).toMatchObject({ resourceType: "Bundle", identifier: { system: "urn:ietf:rfc:3986" } });
    expect(JSON.stringify(notification && responseIn(notification))).toContain('"A3"');
  },
);

test("nobody else's decisions are pushed, and no answer that was given at once", async () => {
  const { simulator, taken } = await subscribed({ filter: "orgIdentifier=1234567893" });
  await decided(simulator, "case-1");
  expect(await pushesOf(simulator)).toHaveLength(1);
  const own = await subscribed();
  await own.simulator.post("/fhir/Claim/$submit", aFirstBundle());
  expect(await pushesOf(own.simulator)).toHaveLength(1);
  expect(taken).toHaveLength(1);
});

test("what the payer decides by its clock is pushed, a void among it", async () => {
  const { simulator, taken } = await subscribed();
  await simulator.post("/fhir/Claim/$submit", aFirstBundle({ memberId: "M1-PEND-A6" }));
  const first = aFirstBundle({ memberId: "M1-VOID-LATER" });
  await simulator.post("/fhir/Claim/$submit", first);
  await simulator.post(
    "/fhir/Claim/$submit",
    anUpdateOf(first, (claim) => certify(claim, "3")),
  );
  await simulator.control("POST", "clock", { forwardMs: 61_000 });
  await expect.poll(() => taken).toHaveLength(3);
  const notifications = JSON.stringify(taken.slice(1).map(responseIn));
  expect(notifications).toContain('"A6"');
  expect(notifications).toContain('"C"');
});

test("a receiver that fails is tried again, and the order is kept", async () => {
  const { simulator, taken } = await subscribed({ statuses: [200, 500, 503] });
  await decided(simulator, "case-1");
  await decided(simulator, "case-2");
  await expect.poll(() => taken).toHaveLength(5);
  expect(eventsIn(taken)).toEqual(["1", "1", "1", "2"]);
  await expect
    .poll(() => pushesOf(simulator))
    .toMatchObject([{}, { tries: [500, 503, 200], state: "delivered" }, { tries: [200], state: "delivered" }]);
});

test("a receiver that never takes it makes the subscription an error, and one that does so again active", async () => {
  const { simulator } = await subscribed({ statuses: [200, 500, 500, 500, 500] });
  await decided(simulator, "case-1");
  await expect.poll(() => standingsOf(simulator)).toMatchObject([{ status: "error", events: 1 }]);
  await decided(simulator, "case-2");
  await expect.poll(() => standingsOf(simulator)).toMatchObject([{ status: "active", events: 2 }]);
});

test("notifications are doubled, lost or late as planned", async () => {
  const { simulator, taken } = await subscribed();
  const plan = (fault: string, trace: string) => simulator.control("POST", "faults", { fault, trace });
  await plan("push-twice", "case-1");
  await plan("push-lost", "case-2");
  await plan("push-late", "case-3");
  for (const name of ["case-1", "case-2", "case-3", "case-4"]) await decided(simulator, name);
  await expect.poll(() => taken).toHaveLength(5);
  expect(eventsIn(taken)).toEqual(["1", "1", "4", "3"]);
  expect((await pushesOf(simulator)).filter(({ state }) => state === "lost")).toMatchObject([{ event: 2 }]);
});

test("a late notification goes by itself where no other follows", async () => {
  const { simulator, taken } = await subscribed();
  await simulator.control("POST", "faults", { fault: "push-late", ms: 20 });
  await decided(simulator, "case-1");
  await expect.poll(() => eventsIn(taken)).toEqual(["1"]);
});

test("a subscription that is deleted is told nothing more", async () => {
  const { simulator, id } = await subscribed();
  expect((await get(simulator, `/fhir/Subscription/${id}`, "DELETE")).status).toBe(204);
  expect((await get(simulator, `/fhir/Subscription/${id}`)).status).toBe(404);
  expect((await get(simulator, `/fhir/Subscription/${id}`, "DELETE")).status).toBe(404);
  await decided(simulator, "case-1");
  expect(await pushesOf(simulator)).toHaveLength(1);
});

test("a subscription in 2.0.1 is told in 2.0.1, whichever version the case came in", async () => {
  const { simulator, taken } = await subscribed({ base: "/fhir-2.0.1" });
  await decided(simulator, "case-1", "A6");
  await expect.poll(() => taken).toHaveLength(2);
  const notifications = JSON.stringify(taken.slice(1).map(responseIn));
  expect(notifications).toContain("itemAuthorizedDetail");
  expect(notifications).not.toContain("addItem");
});

test("subscriptions outlive a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.jsonl");
  const receiver = await aReceiver();
  const before = await aSimulator({ file });
  await before.post("/fhir/Subscription", aSubscription(receiver.url));
  await expect.poll(() => standingsOf(before)).toMatchObject([{ status: "active" }]);
  const after = await aSimulator({ file });
  await decided(after, "case-1");
  await expect.poll(() => receiver.taken).toHaveLength(2);
  await allDelivered(after);
});

test("what fell due while the payer was away is pushed when it is back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.jsonl");
  const receiver = await aReceiver();
  const before = await aSimulator({ file });
  await before.post("/fhir/Subscription", aSubscription(receiver.url));
  await expect.poll(() => standingsOf(before)).toMatchObject([{ status: "active" }]);
  await before.control("POST", "clock", { forwardMs: -3_600_000 });
  await before.post("/fhir/Claim/$submit", aFirstBundle({ memberId: "M1-PEND-A1" }));
  const after = await aSimulator({ file });
  await expect.poll(() => eventsIn(receiver.taken)).toEqual(["1"]);
  await allDelivered(after);
});

test.each<[string, (subscription: Json, channel: Json) => unknown]>([
  ["Subscription.resourceType", (it) => (it["resourceType"] = "Parameters")],
  ["Subscription.meta.profile", (it) => delete it["meta"]],
  ["Subscription.status", (it) => (it["status"] = "active")],
  ["Subscription.reason", (it) => delete it["reason"]],
  ["Subscription.criteria", (it) => (it["criteria"] = "Claim?status=active")],
  ["Subscription._criteria.extension", (it) => delete it["_criteria"]],
  ["Subscription._criteria.extension", (it) => Object.assign(it, aSubscription("http://127.0.0.1/", "patient=1"))],
  [
    "Subscription._criteria.extension",
    (it) =>
      (it["_criteria"] as { extension: Json[] }).extension.push(
        ...(it["_criteria"] as { extension: Json[] }).extension,
      ),
  ],
  ["Subscription.channel.type", (_, channel) => (channel["type"] = "websocket")],
  ["Subscription.channel.endpoint", (_, channel) => (channel["endpoint"] = "ftp://example.org/")],
  ["Subscription.channel.payload", (_, channel) => (channel["payload"] = "application/fhir+xml")],
  ["Subscription.channel._payload.extension", (_, channel) => delete channel["_payload"]],
  ["Subscription.channel.header", (_, channel) => (channel["header"] = ["Authorization: a\r\nX-Other: b"])],
  [
    "Subscription.channel.extension",
    (_, channel) =>
      (channel["extension"] = [
        {
          url: "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition/backport-heartbeat-period",
          valueUnsignedInt: 60,
        },
      ]),
  ],
])("%s: a subscription that breaks this is refused", async (at, spoil) => {
  const simulator = await aSimulator();
  const subscription = aSubscription("http://127.0.0.1:1/");
  spoil(subscription, subscription["channel"] as Json);
  const { status, body } = await simulator.post("/fhir/Subscription", subscription);
  expect({ status, issue: body["issue"] }).toMatchObject({
    status: 422,
    issue: expect.arrayContaining([expect.objectContaining({ expression: [at] })]),
  });
  expect(await standingsOf(simulator)).toEqual([]);
});
