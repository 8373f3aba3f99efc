import { afterAll, describe, expect, test } from "vitest";
import { aPerson, done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aHeldTask, aStore } from "#test/support/cases/cases";
import { aPayer } from "#test/support/payer/pas/listen";
import { fullReview } from "#test/support/agents/reviews";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { changePracticeSettings, settingsText } from "./change-practice-settings.ts";
import { createPractice } from "./create-practice.ts";
import { mapGroup, unmapGroup } from "#lib/person/map-group";
import { setLineOfBusiness } from "./set-line-of-business.ts";
import { putProvider, removeProvider } from "./set-providers.ts";
import { showPractice } from "./list-practices.ts";
import { setRoute } from "./set-route.ts";
import { showRoute, showVersions } from "./show-route.ts";
import { testRoute } from "./test-route.ts";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

async function aPractice() {
  const id = fresh("practice");
  await done(createPractice(ctx, { id, name: "Elm Street", environment: "test" }));
  return id;
}

const settings = { recallWindowS: 10, gateExpiryDays: 14, environment: "test", timeZone: "America/New_York" } as const;
const pas = { payerId: "P1", connector: "pas-fhir", url: "https://payer.example/fhir" };

test("settings made from others than those that hold now are refused, and what they leave out may be others", async () => {
  const practiceId = await aPractice();
  const times = { recallWindowS: 10, gateExpiryDays: 14 };
  const practice = await done(showPractice(ctx, { practiceId }));
  const seen = settingsText(practice, ["gateExpiryDays", "recallWindowS"]);
  await done(changePracticeSettings(ctx, { practiceId, name: "Oak Street" }));
  await done(changePracticeSettings(ctx, { practiceId, ...times, recallWindowS: 30, seen }));
  await done(changePracticeSettings(ctx, { practiceId, ...times, recallWindowS: 30, seen }));
  expect(await changePracticeSettings(ctx, { practiceId, ...times, gateExpiryDays: 7, seen })).toEqual({
    ok: false,
    refusal: { type: "changed-since" },
  });
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject({ ...times, recallWindowS: 30 });
});

test("another environment takes a proof of who somebody is, and no other setting does", async () => {
  const practiceId = await aPractice();
  const unproved = { actor: { ...aPerson({ roles: ["admin"] }), provedAt: undefined }, store };
  const moved = { practiceId, environment: "live" } as const;
  expect(await changePracticeSettings(unproved, moved)).toMatchObject({ refusal: { type: "proof-needed" } });
  await done(changePracticeSettings(unproved, { practiceId, environment: "test", gateExpiryDays: 7 }));
  expect(await done(showPractice(ctx, { practiceId }))).toMatchObject({ environment: "test", gateExpiryDays: 7 });
  await done(changePracticeSettings({ actor: { ...unproved.actor, provedAt: new Date() }, store }, moved));
});

describe("versions", () => {
  test("every change of a practice is a version with its actor, its act and each field before and after", async () => {
    const practiceId = await aPractice();
    const admin = aPerson({ roles: ["admin"] });
    await done(changePracticeSettings({ actor: admin, store }, { practiceId, ...settings, recallWindowS: 60 }));
    await done(changePracticeSettings(ctx, { practiceId, ...settings, recallWindowS: 60 }));
    await done(changePracticeSettings(ctx, { practiceId, urgentTargetH: 2, standardTargetH: 24 }));
    await done(putProvider(ctx, { practiceId, npi: "1234567893", name: "Dr. Reyes", roles: ["requesting"] }));
    const { list, more } = await done(showVersions(ctx, { practiceId }));
    expect(more).toBeUndefined();
    expect(list.map(({ version, act, actor, changes }) => ({ version, act, actor, changes }))).toEqual([
      {
        ...{ version: 4, act: "practice.providers-set", actor: "operator" },
        changes: [
          { path: "/providers/1234567893/name", after: '"Dr. Reyes"' },
          { path: "/providers/1234567893/roles/0", after: '"requesting"' },
          { path: "/providers", before: "{}" },
        ],
      },
      {
        ...{ version: 3, act: "practice.targets-set", actor: "operator" },
        changes: [{ path: "/urgentTargetH", before: "4", after: "2" }],
      },
      {
        ...{ version: 2, act: "practice.settings-changed", actor: `person:${admin.id}` },
        changes: [{ path: "/recallWindowS", before: "10", after: "60" }],
      },
      { version: 1, act: "practice.created", actor: "operator", changes: [] },
    ]);
  });

  test("a group's role in a practice makes a version of the practice, and a role over all practices makes none", async () => {
    const practiceId = await aPractice();
    const group = { issuer: "https://idp.example", group: "spine/desk", role: "auditor" };
    await done(mapGroup(ctx, { ...group, practiceId }));
    await done(mapGroup(ctx, { ...group, practiceId }));
    await done(mapGroup(ctx, { ...group, group: fresh("all") }));
    await done(unmapGroup(ctx, { ...group, practiceId }));
    const { list } = await done(showVersions(ctx, { practiceId }));
    const path = "/groups/https:~1~1idp.example~1/spine~1desk/auditor";
    expect(list.map(({ act, changes }) => ({ act, changes }))).toEqual([
      { act: "group.unmapped", changes: [{ path, before: "true" }] },
      { act: "group.mapped", changes: [{ path, after: "true" }] },
      { act: "practice.created", changes: [] },
    ]);
  });

  test("a connection's version says that its credential changed, never what it is", async () => {
    const practiceId = await aPractice();
    await done(setRoute(ctx, { ...pas, practiceId, credential: "first-secret" }));
    await done(setRoute(ctx, { ...pas, practiceId, keepCredential: true, payerName: "Elm Health" }));
    await done(setRoute(ctx, { ...pas, practiceId, credential: "second-secret", payerName: "Elm Health" }));
    await done(setLineOfBusiness(ctx, { practiceId, payerId: "P1", lineOfBusiness: "chip-ffs" }));
    const { list } = await done(showVersions(ctx, { practiceId, payerId: "P1" }));
    expect(JSON.stringify(list)).not.toContain("secret");
    expect(list.map(({ changes }) => changes.map(({ path, after }) => [path, after]))).toEqual([
      [["/lineOfBusiness", '"chip-ffs"']],
      [
        ["/route", "3"],
        ["/credential", '"set with version 3"'],
      ],
      [
        ["/route", "2"],
        ["/payerName", '"Elm Health"'],
      ],
      [],
    ]);
  });
});

describe("a credential that is kept", () => {
  test("is kept for the next version of the same connection, and is never shown", async () => {
    const practiceId = await aPractice();
    await done(setRoute(ctx, { ...pas, practiceId, credential: "kept-secret" }));
    await done(setRoute(ctx, { ...pas, practiceId, url: "https://payer.example/fhir/r4", keepCredential: true }));
    const route = await resolveRoute(store, practiceId, "P1");
    expect(await loadAccess(store, route?.destination.routeId ?? "")).toMatchObject({ credential: "kept-secret" });
    const shown = await done(showRoute(ctx, { practiceId, payerId: "P1" }));
    expect(JSON.stringify(shown)).not.toContain("kept-secret");
    expect(shown.route).toMatchObject({ version: 2, hasCredential: true });
  });

  test.each([
    { url: "https://elsewhere.example/fhir" },
    { url: "https://payer.example:8443/fhir" },
    { settings: { auth: "smart", clientId: "c", tokenUrl: "https://elsewhere.example/token" } },
  ])("never goes to another address: %j", async (moved) => {
    const practiceId = await aPractice();
    await done(setRoute(ctx, { ...pas, practiceId, credential: "kept-secret" }));
    expect(await setRoute(ctx, { ...pas, practiceId, ...moved, keepCredential: true })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "credential" }] },
    });
  });
});

test("a private key that is kept never becomes a secret that is sent", async () => {
  const practiceId = await aPractice();
  const signing = { ...pas, practiceId, settings: { auth: "smart", clientId: "c" } };
  await done(setRoute(ctx, { ...signing, credential: '{"kty":"EC","d":"private"}' }));
  expect(await setRoute(ctx, { ...pas, practiceId, settings: {}, keepCredential: true })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "credential" }] },
  });
  await done(setRoute(ctx, { ...signing, payerName: "Elm Health", keepCredential: true }));
});

describe("fields a payer requires", () => {
  test("block the release of a held case that lacks them, name them, and are what the agent is asked for", async () => {
    const { practiceId, taskId, reviewer } = await aHeldTask(store, { routed: true, review: fullReview });
    const requiredFields = ["/requestingProvider/fax", "/procedures/*/modifierCode1"];
    await store.prisma.route.updateMany({ where: { practiceId }, data: { requiredFields } });
    const view = await done(reviewTask(reviewer, { taskId }));
    expect(view.checks[0]).toMatchObject({
      type: "payer-requires",
      level: "block",
      values: ["requesting provider's fax", "every line's modifier"],
    });
    const seen = { gateId: view.gate?.id, digest: view.gate?.digest, revision: view.revision.number };
    // Safe because the view shows an open gate.
    const released = await releaseGate(reviewer, { taskId, seen: seen as never });
    expect(released).toMatchObject({ ok: false });
    const moved = await done(
      setRoute(ctx, { practiceId, payerId: "87042", connector: "manual", requiredFields: ["/requestingProvider/fax"] }),
    );
    expect(moved.superseded).toBe(1);
    expect(await done(reviewTask(reviewer, { taskId }))).toMatchObject({
      state: "needs-information",
      missing: ["/requestingProvider/fax"],
    });
  });

  test("are of those a route may require", async () => {
    const practiceId = await aPractice();
    expect(await setRoute(ctx, { ...pas, practiceId, requiredFields: ["/password"] })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "requiredFields" }] },
    });
  });
});

describe("a practice's identity", () => {
  test("is an NPI with a valid check digit and a nine-digit tax ID; an empty text is none", async () => {
    const practiceId = await aPractice();
    const set = (npi: string, taxId: string) => changePracticeSettings(ctx, { practiceId, ...settings, npi, taxId });
    expect(await set("1234567890", "12-345678")).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "npi" }, { field: "taxId" }] },
    });
    await done(set("1234567893", "12-3456789"));
    expect(await store.prisma.practice.findUnique({ where: { id: practiceId } })).toMatchObject({
      npi: "1234567893",
      taxId: "123456789",
    });
    await done(set("", ""));
    expect((await entriesOf(ctx, practiceId)).at(-1)?.detail).toMatchObject({ to: { npi: null, taxId: null } });
  });

  test("a provider is on the list once, by NPI, and a request with any other provider has a warning", async () => {
    const { practiceId, taskId, reviewer } = await aHeldTask(store, { routed: true, review: fullReview });
    const add = (npi: string, name: string) => putProvider(ctx, { practiceId, npi, name, roles: ["requesting"] });
    expect(await add("1234567890", "Dr. Wrong")).toMatchObject({ refusal: { type: "invalid" } });
    await done(add("1003000126", "Dr. One"));
    await done(add("1003000126", "Dr. Two"));
    const unknown = async () =>
      (await done(reviewTask(reviewer, { taskId }))).checks.filter(({ type }) => type === "unknown-provider");
    expect(await unknown()).toMatchObject([{ level: "warn", paths: ["/requestingProvider/npi"] }]);
    await done(removeProvider(ctx, { practiceId, npi: "1003000126" }));
    expect(await unknown()).toEqual([]);
  });
});

describe("a test of the connection", () => {
  const capability = { resourceType: "CapabilityStatement", fhirVersion: "4.0.1", rest: [] };

  test("requests nothing but the server's description, is kept with its version and is recorded", async () => {
    const practiceId = await aPractice();
    const requests: string[] = [];
    const url = await aPayer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end(JSON.stringify(capability));
    });
    await done(setRoute(ctx, { ...pas, practiceId, url: `${url}/fhir`, credential: "secret-1" }));
    const tested = await done(testRoute(ctx, { practiceId, payerId: "P1" }));
    expect(tested).toMatchObject({ ok: true, steps: [{ name: "address" }, { name: "token" }, { name: "answer" }] });
    expect(requests).toEqual(["GET /fhir/metadata Bearer secret-1"]);
    expect((await done(showRoute(ctx, { practiceId, payerId: "P1" }))).test).toMatchObject({ ok: true });
    expect((await entriesOf(ctx, practiceId)).at(-1)).toMatchObject({
      act: "route.tested",
      detail: { payer: "P1", version: 1, ok: true },
    });
    await done(setRoute(ctx, { ...pas, practiceId, url: `${url}/fhir`, keepCredential: true }));
    expect((await done(showRoute(ctx, { practiceId, payerId: "P1" }))).test).toBeUndefined();
  });

  test("names the step that failed, and tries nothing after it", async () => {
    const practiceId = await aPractice();
    const url = await aPayer((_, response) => response.writeHead(302, { Location: "/elsewhere" }).end());
    const smart = { auth: "smart", clientId: "c", tokenUrl: `${url}/token` };
    const tried = async (route: object) => {
      await done(setRoute(ctx, { ...pas, practiceId, credential: "no-key", ...route }));
      return (await done(testRoute(ctx, { practiceId, payerId: "P1" }))).steps.at(-1);
    };
    expect(await tried({ url: "http://127.0.0.1:1/fhir" })).toMatchObject({ name: "address", ok: false });
    expect(await tried({ url, settings: smart })).toMatchObject({ name: "token", ok: false });
    expect(await tried({ url })).toMatchObject({ name: "answer", says: expect.stringContaining("HTTP 302") });
    await store.prisma.route.updateMany({ where: { practiceId }, data: { url: "https://169.254.169.254/fhir" } });
    const last = await done(testRoute(ctx, { practiceId, payerId: "P1" }));
    expect(last.steps).toMatchObject([{ name: "address", ok: false, says: expect.stringContaining("link-local") }]);
  });

  test("is refused for manual submission, and without a connection", async () => {
    const practiceId = await aPractice();
    const ask = () => testRoute(ctx, { practiceId, payerId: "P1" });
    expect(await ask()).toEqual({ ok: false, refusal: { type: "not-found", what: "route" } });
    await done(setRoute(ctx, { practiceId, payerId: "P1", connector: "manual" }));
    expect(await ask()).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "connector" }] } });
  });
});

test.each(others)(
  "%s can neither test, nor see versions, nor name providers, and nothing is written",
  async (_, actor) => {
    const practiceId = await aPractice();
    const before = await everything(store);
    const as = { actor, store };
    const attempts = [
      testRoute(as, { practiceId, payerId: "P1" }),
      showRoute(as, { practiceId, payerId: "P1" }),
      showVersions(as, { practiceId }),
      putProvider(as, { practiceId, npi: "1234567893", name: "Dr. Reyes", roles: ["requesting"] }),
      removeProvider(as, { practiceId, npi: "1234567893" }),
    ];
    for (const result of await Promise.all(attempts)) {
      expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
    }
    expect(await everything(store)).toEqual(before);
  },
);
