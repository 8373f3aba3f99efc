import { afterAll, beforeAll, expect, test } from "vitest";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { reviewTask } from "#lib/task/review-task";
import { releaseGate } from "#lib/gate/release-gate";
import { claimTransmission } from "#lib/submission/transmission";
import { done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aHeldTask, aStore, fullReview, theWorker } from "#test/support/cases/cases";
import { createPractice } from "./create-practice.ts";
import { changePracticeSettings } from "./change-practice-settings.ts";
import { listRoutes } from "./list-practices.ts";
import { setLineOfBusiness } from "./set-line-of-business.ts";
import { setRoute } from "./set-route.ts";

const store = aStore();
const ctx = { actor: operator, store };
const practiceId = fresh("practice");
const pas = { practiceId, connector: "pas-fhir", url: "https://payer.example/fhir" };

beforeAll(() => done(createPractice(ctx, { id: practiceId, name: practiceId })));
afterAll(() => store.close());

test("each setting is a new version, and the newest is in force", async () => {
  const payerId = fresh("payer");
  const first = await done(setRoute(ctx, { ...pas, payerId, payerName: "Harbor Mutual", credential: "one" }));
  const second = await done(setRoute(ctx, { practiceId, payerId, connector: "manual" }));
  expect([first, second]).toEqual([
    { version: 1, environment: "live", superseded: 0 },
    { version: 2, environment: "live", superseded: 0 },
  ]);
  expect(await resolveRoute(store, practiceId, payerId)).toMatchObject({
    configured: true,
    destination: { version: 2, connector: "manual" },
  });
  const listed = (await done(listRoutes(ctx, { practiceId }))).filter((route) => route.payerId === payerId);
  expect(listed).toMatchObject([{ version: 2, connector: "manual", hasCredential: false }]);
});

test("a credential is sealed for its row, and neither the list nor the audit log has it", async () => {
  const payerId = fresh("payer");
  await done(setRoute(ctx, { ...pas, payerId, credential: "s3cret-token" }));
  const route = await resolveRoute(store, practiceId, payerId);
  expect((await loadAccess(store, route?.destination.routeId ?? "")).credential).toBe("s3cret-token");
  const { rows } = await store.pool.query(
    "SELECT encode(credential, 'escape') AS text FROM route WHERE payer_id = $1",
    [payerId],
  );
  const text = JSON.stringify([rows, await done(listRoutes(ctx, {})), await entriesOf(ctx, practiceId)]);
  expect(text).not.toContain("s3cret-token");
  expect((await entriesOf(ctx, practiceId)).at(-1)).toEqual({
    actor: "operator",
    act: "route.set",
    detail: {
      payer: payerId,
      version: 1,
      connector: "pas-fhir",
      url: pas.url,
      environment: "live",
      settings: {},
      lineOfBusiness: null,
      credential: true,
    },
  });
});

const clearinghouse = { tokenUrl: "https://payer.example/v1/token", scope: "hipaa plan", clientId: "client-1" };

test("a service-review connection has the address and the client id of its token requests", async () => {
  const payerId = fresh("payer");
  const input = { practiceId, payerId, connector: "service-review", url: "https://payer.example" };
  await done(setRoute(ctx, { ...input, settings: clearinghouse, credential: "client-secret" }));
  const route = await resolveRoute(store, practiceId, payerId);
  expect(await loadAccess(store, route?.destination.routeId ?? "")).toEqual({
    route: { environment: "live", settings: clearinghouse },
    credential: "client-secret",
  });
});

test("concurrent versions are numbered without gaps", async () => {
  const payerId = fresh("payer");
  const set = await Promise.all([1, 2, 3, 4, 5].map(() => done(setRoute(ctx, { ...pas, payerId }))));
  expect(set.map(({ version }) => version).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  [{ connector: "fax" }, "connector"],
  [{ url: undefined }, "url"],
  [{ url: "payer.example/fhir" }, "url"],
  [{ url: "ftp://payer.example/fhir" }, "url"],
  [{ url: "http://payer.example/fhir" }, "url"],
  [{ url: "http://127.0.0.1.evil.example/fhir" }, "url"],
  [{ url: "https://user:password@payer.example/fhir" }, "url"],
  [{ url: "https://payer.example/fhir?key=1" }, "url"],
  [{ url: "https://169.254.169.254/latest" }, "url"],
  [{ url: "https://[fd00::1]/fhir" }, "url"],
  [{ payerId: "" }, "payerId"],
  [{ credential: "two words" }, "credential"],
  [{ credential: "line\nbreak" }, "credential"],
  [{ environment: "staging" as "live" }, "environment"],
  [{ connector: "service-review", settings: clearinghouse, url: undefined }, "url"],
  [{ connector: "service-review", settings: { ...clearinghouse, scope: "" } }, "settings.scope"],
])("%j is refused, and nothing is written", async (wrong, field) => {
  const before = await everything(store);
  expect(await setRoute(ctx, { ...pas, payerId: "P1", ...wrong })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field }] },
  });
  expect(await everything(store)).toEqual(before);
});

test("plain http reaches this machine only, so it defaults to test", async () => {
  for (const url of ["http://localhost:4010/fhir", "http://127.0.0.1:4010/fhir", "http://[::1]:4010/fhir"]) {
    expect(await done(setRoute(ctx, { ...pas, payerId: fresh("payer"), url }))).toMatchObject({ environment: "test" });
    expect(await done(setRoute(ctx, { ...pas, payerId: fresh("payer"), url, environment: "live" }))).toMatchObject({
      environment: "live",
    });
  }
});

test("an open gate on the old route is superseded by one on the new", async () => {
  const { practiceId, taskId, reviewer, seen } = await aHeldTask(store, { routed: true, review: fullReview });
  const set = await done(setRoute(ctx, { practiceId, payerId: "87042", connector: "manual" }));
  expect(set).toMatchObject({ version: 2, superseded: 1 });
  const view = await done(reviewTask(reviewer, { taskId }));
  expect(view).toMatchObject({ state: "transmit-held", connector: "manual", gate: { status: "open", manual: true } });
  expect(view.gate?.id).not.toBe(seen.gateId);
  expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: false, refusal: { type: "changed" } });
});

test("an unclaimed release on the old route never leaves", async () => {
  const { practiceId, taskId, reviewer, seen } = await aHeldTask(store, { routed: true, review: fullReview });
  await done(releaseGate(reviewer, { taskId, seen }));
  await done(setRoute(ctx, { ...pas, practiceId, payerId: "87042", environment: "test" }));
  expect(await claimTransmission(theWorker(store), { taskId })).toMatchObject({
    ok: false,
    refusal: { type: "not-claimable" },
  });
  expect(await done(reviewTask(reviewer, { taskId }))).toMatchObject({ state: "transmit-held" });
});

test("a practice's environment reaches the open gates of payers without a route", async () => {
  const { practiceId, taskId, reviewer } = await aHeldTask(store);
  const settings = { recallWindowS: 0, gateExpiryDays: 14, environment: "live", timeZone: "UTC" } as const;
  await done(changePracticeSettings(ctx, { practiceId, ...settings }));
  expect(await done(reviewTask(reviewer, { taskId }))).toMatchObject({ state: "transmit-held", environment: "live" });
});

test("a practice that does not exist has no payer connection", async () => {
  const nobody = { ...pas, practiceId: fresh("nobody"), payerId: "P1" };
  expect(await setRoute(ctx, nobody)).toEqual({ ok: false, refusal: { type: "not-found", what: "practice" } });
});

test.each(others)("%s can neither set nor list, and nothing is written", async (_, actor) => {
  const before = await everything(store);
  const as = { actor, store };
  const line = { practiceId, payerId: "P1", lineOfBusiness: "unknown" };
  const attempts = [setRoute(as, { ...pas, payerId: "P1" }), setLineOfBusiness(as, line), listRoutes(as, {})];
  for (const result of await Promise.all(attempts)) {
    expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  }
  expect(await everything(store)).toEqual(before);
});

test("a line of business is one of the known ones, and is set on the active connection without a new version", async () => {
  const payerId = fresh("payer");
  const bad = { ok: false, refusal: { type: "invalid", issues: [{ field: "lineOfBusiness" }] } };
  expect(await setRoute(ctx, { ...pas, payerId, lineOfBusiness: "medicare" })).toMatchObject(bad);
  const ask = (lineOfBusiness: string) => setLineOfBusiness(ctx, { practiceId, payerId, lineOfBusiness });
  expect(await ask("chip-ffs")).toEqual({ ok: false, refusal: { type: "not-found", what: "route" } });
  await done(setRoute(ctx, { ...pas, payerId, lineOfBusiness: "medicare-advantage" }));
  expect(await ask("medicare")).toMatchObject(bad);
  const recorded = async () => (await entriesOf(ctx, practiceId)).filter(({ detail }) => detail.payer === payerId);
  await done(ask("medicare-advantage"));
  expect(await recorded()).toHaveLength(1);
  await done(ask("chip-ffs"));
  const detail = { payer: payerId, from: "medicare-advantage", to: "chip-ffs" };
  expect((await recorded()).at(-1)).toEqual({ actor: "operator", act: "route.line-of-business-set", detail });
  const routes = await done(listRoutes(ctx, { practiceId }));
  expect(routes.filter((route) => route.payerId === payerId)).toMatchObject([
    { version: 1, lineOfBusiness: "chip-ffs" },
  ]);
});
