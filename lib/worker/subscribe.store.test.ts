import { afterAll, beforeEach, expect, test } from "vitest";
import { aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { edgeDeps } from "#test/support/agents/edge";
import { example } from "#test/support/payer/pas/example";
import { aPayer } from "#test/support/payer/pas/listen";
import { loadPushDoor } from "#lib/payer/inbox/shared/subscriptions";
import { listRouteRecords } from "#lib/practice/store/admin-routes";
import { notificationStatus } from "#lib/practice/list-practices";
import { renewSubscription } from "#lib/practice/renew-subscription";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setRoute } from "#lib/practice/set-route";
import { openPushDoor } from "#lib/payer/inbox/receive-push";
import { subscribeRoutes, unsubscribeRoutes } from "./subscribe.ts";

type Json = Record<string, unknown>;
type Call = { readonly method: string; readonly path: string; readonly body: Json };

const store = aStore();
const { log } = edgeDeps();
afterAll(() => store.close());
// Routes of other tests are none of a payer's here.
beforeEach(() => store.prisma.route.updateMany({ data: { connector: "manual" } }));

const settings = { subscription: "rest-hook", senderId: "1234567893" };
const round = () => subscribeRoutes(store, { log, publicUrl: "http://localhost:3000/" });

/** A payer that answers each Subscription so, and remembers them; and a practice with a route to it. */
async function aRouteTo(answer: (body: Json) => { status: number; body: unknown }) {
  const calls: Call[] = [];
  const base = await aPayer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Json;
        calls.push({ method: request.method ?? "", path: request.url ?? "", body });
        const reply = answer(body);
        response.writeHead(reply.status, { "Content-Type": "application/fhir+json" }).end(JSON.stringify(reply.body));
      });
  });
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${base}/fhir` });
  await store.prisma.route.updateMany({ where: { practiceId }, data: { settings } });
  const { id: routeId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  const record = async () => {
    const [found] = await listRouteRecords(store, practiceId);
    if (!found) throw new Error("The practice has a route.");
    return found;
  };
  return { calls, practiceId, routeId, record };
}

const created = (body: Json) =>
  "criteria" in body ? { status: 201, body: { ...body, id: "sub-1" } } : { status: 204, body: undefined };

test("a payer is asked once to push to the route's own address, in the form of the official example", async () => {
  const { calls, routeId, record } = await aRouteTo(created);
  await Promise.all([round(), round()]);
  await round();
  expect(calls).toHaveLength(1);
  const door = await loadPushDoor(store, routeId);
  const official = example("2.2.1/Subscription-PASSubscriptionExample") as { channel: Json; _criteria: Json } & Json;
  expect(calls[0]).toMatchObject({
    path: "/fhir/Subscription",
    body: {
      status: "requested",
      criteria: official["criteria"],
      _criteria: official._criteria,
      channel: {
        ...official.channel,
        endpoint: `http://localhost:3000/api/payers/${routeId}/notifications`,
        header: [`Authorization: Bearer ${door?.secret}`],
      },
    },
  });
  expect(door?.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(notificationStatus(await record())).toEqual({ type: "subscribed" });
});

test.each([
  ["orgIdentifier", {}],
  ["org-identifier", { subscriptionFilter: "org-identifier" }],
])("the sender's cases are asked for by %s where the connection says so", async (filter, chosen) => {
  const { calls, practiceId } = await aRouteTo(created);
  await store.prisma.route.updateMany({ where: { practiceId }, data: { settings: { ...settings, ...chosen } } });
  await round();
  expect(calls.map(({ body }) => body["_criteria"])).toMatchObject([
    { extension: [{ valueString: `${filter}=1234567893` }] },
  ]);
});

test("a payer that refuses is asked again later with the same secret, and the admin is told why", async () => {
  const refusal = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "forbidden" }] };
  const { calls, routeId, record } = await aRouteTo((body) =>
    calls.length === 1 ? { status: 403, body: refusal } : created(body),
  );
  await round();
  await round();
  expect(calls).toHaveLength(1);
  expect(notificationStatus(await record())).toEqual({
    type: "not-subscribed",
    problem: "The payer refused the Subscription (HTTP 403: forbidden).",
  });
  await store.prisma.subscription.update({ where: { routeId }, data: { nextTryAt: new Date(0) } });
  await round();
  expect(calls).toHaveLength(2);
  const [first, second] = calls.map(({ body }) => (body["channel"] as Json)["header"]);
  expect(second).toEqual(first);
});

test("a new version of the route at the same address with the same settings needs no new subscription", async () => {
  const { calls, practiceId } = await aRouteTo(created);
  await round();
  const old = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  await aRoute(store, { practiceId, version: 2, url: old.url ?? "" });
  await store.prisma.route.updateMany({ where: { practiceId }, data: { settings } });
  await round();
  expect(calls).toHaveLength(1);
});

test("a payer far away is not asked to push to an address it cannot reach, and a route that wants no pushes is flagged", async () => {
  const { calls, practiceId, record } = await aRouteTo(created);
  await store.prisma.route.updateMany({ where: { practiceId }, data: { url: "https://payer.test/fhir" } });
  await round();
  expect(notificationStatus(await record())).toEqual({
    type: "not-subscribed",
    problem: expect.stringContaining("PUBLIC_URL is not an https address"),
  });
  await store.prisma.route.updateMany({ where: { practiceId }, data: { settings: {} } });
  expect(notificationStatus(await record())).toEqual({ type: "polled-without-requests" });
  expect(calls).toEqual([]);
});

test("a renewed subscription revokes the old secret at once and accepts only a new one", async () => {
  const { calls, practiceId, routeId } = await aRouteTo(created);
  await round();
  const old = await loadPushDoor(store, routeId);
  const operator = { actor: { kind: "operator" }, store } as const;
  expect(await renewSubscription(operator, { practiceId, payerId: "87042" })).toEqual({
    ok: true,
    value: { ended: 1 },
  });
  expect(await loadPushDoor(store, routeId)).toBe(undefined);
  await round();
  expect(calls).toHaveLength(2);
  const door = await loadPushDoor(store, routeId);
  expect(door?.secret).not.toBe(old?.secret);
  expect(await renewSubscription(operator, { practiceId: "nobody", payerId: "87042" })).toMatchObject({ ok: false });
});

const moved = { connector: "pas-fhir", url: "https://another.example/fhir", environment: "live" } as const;
const setTo = (practiceId: string, to: { connector: string; url?: string; environment: "live" | "test" }) =>
  setRoute(
    { actor: { kind: "operator" }, store },
    { practiceId, payerId: "87042", settings: to.connector === "manual" ? {} : settings, ...to },
  );

test.each<[string, (url: string) => Parameters<typeof setTo>[1]]>([
  ["to another origin", () => moved],
  [
    "from test to live",
    (url) => ({ connector: "pas-fhir", url: url.replace("http://", "https://"), environment: "live" }),
  ],
  ["to a person's hands", () => ({ connector: "manual", environment: "test" })],
])("a route that is moved %s ends its subscription at once, and the payer it left is told to stop", async (_, to) => {
  const { calls, practiceId, routeId } = await aRouteTo(created);
  await round();
  const old = await loadPushDoor(store, routeId);
  const { url } = await store.prisma.route.findUniqueOrThrow({ where: { id: routeId } });
  await done(setTo(practiceId, to(url ?? "")));
  expect(await openPushDoor(store, { routeId, secret: old?.secret ?? "" })).toBe(undefined);
  expect((await entriesOf({ store }, practiceId)).at(-1)).toMatchObject({ act: "route.subscription-ended" });
  await Promise.all([unsubscribeRoutes(store, { log }), unsubscribeRoutes(store, { log })]);
  expect(calls.slice(1)).toEqual([{ method: "DELETE", path: "/fhir/Subscription/sub-1", body: {} }]);
  expect(await store.prisma.endedSubscription.count({ where: { practiceId } })).toBe(0);
  // Back where it was, the old secret is still none.
  await done(setTo(practiceId, { connector: "pas-fhir", url: url ?? "", environment: "test" }));
  expect(await openPushDoor(store, { routeId, secret: old?.secret ?? "" })).toBe(undefined);
});

test("a route whose path alone changes keeps its subscription", async () => {
  const { practiceId, routeId } = await aRouteTo(created);
  await round();
  const old = await loadPushDoor(store, routeId);
  const { url } = await store.prisma.route.findUniqueOrThrow({ where: { id: routeId } });
  await done(setTo(practiceId, { connector: "pas-fhir", url: `${url}/r4`, environment: "test" }));
  expect((await loadPushDoor(store, routeId))?.secret).toBe(old?.secret);
});

test("a secret of another server is refused, even if its subscription still exists there", async () => {
  const { practiceId, routeId } = await aRouteTo(created);
  await round();
  const old = await loadPushDoor(store, routeId);
  await aRoute(store, { practiceId, version: 2, url: "https://another.example/fhir" });
  expect(await store.prisma.subscription.count({ where: { practiceId } })).toBe(1);
  expect(await openPushDoor(store, { routeId, secret: old?.secret ?? "" })).toBe(undefined);
});

test("deleting a subscription at an unreachable payer is tried again, and not without end", async () => {
  const { calls, practiceId } = await aRouteTo((body) => ("criteria" in body ? created(body) : { status: 500, body }));
  await round();
  await done(setTo(practiceId, moved));
  for (let tries = 0; tries < 20; tries++) {
    await store.prisma.endedSubscription.updateMany({ where: { practiceId }, data: { nextTryAt: new Date(0) } });
    await unsubscribeRoutes(store, { log });
  }
  expect(calls.filter(({ method }) => method === "DELETE")).toHaveLength(12);
});

/** A connection that is to subscribe where the payer offers it, to a payer with this CapabilityStatement. */
async function aRouteWhereOffered(
  capability: { status: number; body: unknown },
  senderId: string | undefined = "1234567893",
) {
  const of = await aRouteTo((body) => ("criteria" in body ? created(body) : capability));
  await store.prisma.route.updateMany({
    where: { practiceId: of.practiceId },
    data: { settings: { subscription: "offered", ...(senderId === "" ? {} : { senderId }) } },
  });
  return of;
}

const topicExtension =
  "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition/capabilitystatement-subscriptiontopic-canonical";
const pasTopic = "http://hl7.org/fhir/us/davinci-pas/SubscriptionTopic/PASSubscriptionTopic";
const stating = (...resource: unknown[]) => ({
  status: 200,
  body: { resourceType: "CapabilityStatement", fhirVersion: "4.0.1", rest: [{ mode: "server", resource }] },
});
const create = { type: "Subscription", interaction: [{ code: "create" }] };
const toTopic = (valueCanonical: string) => ({ ...create, extension: [{ url: topicExtension, valueCanonical }] });

const methods = (calls: readonly Call[]) => calls.map(({ method, path }) => `${method} ${path}`);

test.each([
  ["creates Subscriptions", stating(create)],
  ["creates them to the topic of PAS", stating({ type: "Claim" }, toTopic(`${pasTopic}|2.2.1`))],
])("where notifications are wanted if offered, a payer that %s is asked for them", async (_, capability) => {
  const { calls, record } = await aRouteWhereOffered(capability);
  await round();
  expect(methods(calls)).toEqual(["GET /fhir/metadata", "POST /fhir/Subscription"]);
  expect(notificationStatus(await record())).toEqual({ type: "subscribed" });
});

const silent = "The payer's CapabilityStatement offers no notifications.";

test.each([
  ["reads them alone", stating({ ...create, interaction: [{ code: "read" }] }), silent],
  ["creates them to another topic", stating(toTopic("http://example.org/topic")), silent],
  ["says nothing of them", stating({ type: "Claim" }), silent],
  ["says nothing at all", { status: 404, body: {} }, "The payer could not be asked whether it offers notifications."],
])("a payer that %s is not, and the admin is told so", async (_, capability, problem) => {
  const { calls, record } = await aRouteWhereOffered(capability);
  await round();
  await round();
  expect(methods(calls)).toEqual(["GET /fhir/metadata"]);
  expect(notificationStatus(await record())).toEqual({ type: "not-subscribed", problem });
});

test("what the payer directory says of notifications goes before the payer's statement", async () => {
  const list = (practiceId: string, supports: readonly string[]) =>
    done(setPayer({ actor: operator, store }, { practiceId, payerId: "87042", name: "Harbor Mutual", supports }));
  const listed = await aRouteWhereOffered(stating());
  await list(listed.practiceId, ["subscriptions"]);
  const without = await aRouteWhereOffered(stating(create));
  await list(without.practiceId, ["updates"]);
  await round();
  expect(methods(listed.calls)).toEqual(["POST /fhir/Subscription"]);
  expect(methods(without.calls)).toEqual([]);
});

test("without a sender ID nothing is asked for, and the admin is told so", async () => {
  const { calls, record } = await aRouteWhereOffered(stating(create), "");
  await round();
  expect(methods(calls)).toEqual(["GET /fhir/metadata"]);
  expect(notificationStatus(await record())).toMatchObject({
    problem: expect.stringContaining("has no sender ID"),
  });
});

test("a new connection begins with what is offered if the directory says that it is; a new version keeps what it is given", async () => {
  const practiceId = await aPractice(store);
  await store.prisma.practice.update({ where: { id: practiceId }, data: { npi: "1234567893" } });
  const route = { practiceId, connector: "pas-fhir", url: "https://payer.example/fhir", credential: "key" } as const;
  const set = async (payerId: string, more: object = {}) => {
    await done(setRoute({ actor: operator, store }, { ...route, payerId, ...more }));
    return (await listRouteRecords(store, practiceId)).find((one) => one.payerId === payerId)?.settings;
  };
  expect(await set("UNLISTED")).toEqual({});
  for (const payerId of ["UNLISTED", "LISTED", "CHOSEN"])
    await done(
      setPayer({ actor: operator, store }, { practiceId, payerId, name: payerId, supports: ["subscriptions"] }),
    );
  await done(setPayer({ actor: operator, store }, { practiceId, payerId: "SILENT", name: "SILENT", supports: [] }));
  expect(await set("UNLISTED")).toEqual({});
  expect(await set("LISTED")).toEqual({ subscription: "offered", senderId: "1234567893" });
  expect(await set("LISTED", { settings: { version: "2.0.1" } })).toEqual({ version: "2.0.1" });
  expect(await set("CHOSEN", { settings: { subscription: "none" } })).toEqual({ subscription: "none" });
  expect(await set("SILENT")).toEqual({});
});
