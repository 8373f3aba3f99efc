import { afterAll, expect, test } from "vitest";
import { setRoute } from "#lib/practice/set-route";
import { showRoute } from "#lib/practice/show-route";
import { loadAccess } from "#lib/practice/shared/resolved-route";
import { done, entriesOf } from "#test/support/people/admin";
import { aPerson, aStore } from "#test/support/cases/cases";
import { aDraftedConnection } from "#test/support/payer/drafted-connection";
import { aPayer } from "#test/support/payer/pas/listen";
import { aSimulator } from "#test/support/payer/simulator";
import {
  activateRouteDraft,
  beginRouteDraft,
  discardRouteDraft,
  listRouteDrafts,
  setDraftAccess,
  showRouteDraft,
  testRouteDraft,
} from "./route-draft.ts";

const store = aStore();
afterAll(() => store.close());

const gone = { ok: false, refusal: { type: "not-found", what: "route" } };

test("a connection is tested as it will be used, and becomes active with its test only by the last step", async () => {
  const simulator = await aSimulator();
  const { practiceId, admin, id } = await aDraftedConnection(store, `${simulator.url}/fhir`);
  const payerId = "60054";
  await done(setDraftAccess(admin, { ...id, url: `${simulator.url}/fhir`, credential: "right" }));
  expect((await testRouteDraft(admin, id)).ok).toBe(true);
  expect((await done(showRouteDraft(admin, id))).draft.test).toMatchObject({ ok: true });
  expect(await showRoute(admin, { practiceId, payerId })).toMatchObject({ ok: false });

  expect(await activateRouteDraft(admin, { ...id, untested: false })).toMatchObject({ ok: true, value: { payerId } });
  const { route, test: tested } = await done(showRoute(admin, { practiceId, payerId }));
  expect(route).toMatchObject({ version: 1, connector: "pas-fhir", payerName: "Lakeview Mutual", hasCredential: true });
  expect(tested).toMatchObject({ ok: true });
  expect((await loadAccess(store, route.routeId)).credential).toBe("right");
  expect(await showRouteDraft(admin, id)).toEqual(gone);
  const acts = (await entriesOf({ store }, practiceId)).map(({ act }) => act);
  expect(acts.filter((act) => act.startsWith("route."))).toEqual(["route.tested", "route.set"]);
});

test("without a passing test of exactly what it holds, a draft takes a word that this is meant", async () => {
  const simulator = await aSimulator();
  const { admin, id } = await aDraftedConnection(store, `${simulator.url}/fhir`);
  const untested = { ok: false, refusal: { type: "invalid", issues: [{ field: "untested" }] } };
  expect(await activateRouteDraft(admin, { ...id, untested: false })).toMatchObject(untested);
  await done(setDraftAccess(admin, { ...id, url: `${simulator.url}/fhir`, credential: "right" }));
  await done(testRouteDraft(admin, id));
  // The test was of another address.
  await done(setDraftAccess(admin, { ...id, url: "http://127.0.0.1:9/fhir" }));
  expect(await activateRouteDraft(admin, { ...id, untested: false })).toMatchObject(untested);
  expect(await testRouteDraft(admin, id)).toMatchObject({ ok: true, value: { ok: false } });
  expect(await activateRouteDraft(admin, { ...id, untested: false })).toMatchObject(untested);
  expect(await activateRouteDraft(admin, { ...id, untested: true })).toMatchObject({ ok: true });
});

test("a draft is its maker's, keeps its credential sealed, and ends a day after its last change", async () => {
  const { practiceId, admin, id } = await aDraftedConnection(store);
  const other = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  for (const act of [showRouteDraft(other, id), setDraftAccess(other, id), testRouteDraft(other, id)])
    expect(await act).toEqual(gone);
  expect(JSON.stringify(await showRouteDraft(admin, id))).not.toContain("nobody-sees-this");
  const row = await store.prisma.routeDraft.findUniqueOrThrow({ where: { id: id.draftId } });
  expect(Buffer.from(row.credential ?? []).toString("latin1")).not.toContain("nobody");
  await store.prisma.routeDraft.update({
    where: { id: id.draftId },
    data: { changedAt: new Date(Date.now() - 25 * 3_600_000) },
  });
  expect(await showRouteDraft(admin, id)).toEqual(gone);
  await done(beginRouteDraft(admin, { practiceId, payerId: "87042", connector: "manual" }));
  expect(await store.prisma.routeDraft.count({ where: { id: id.draftId } })).toBe(0);
});

test("a draft is listed to its maker alone until it is discarded, and then it is gone with its credential", async () => {
  const { practiceId, admin, id } = await aDraftedConnection(store);
  const other = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  expect(await done(listRouteDrafts(admin, { practiceId }))).toMatchObject([{ id: id.draftId, hasCredential: true }]);
  expect(await done(listRouteDrafts(other, { practiceId }))).toEqual([]);
  expect(await discardRouteDraft(other, id)).toEqual(gone);
  await done(discardRouteDraft(admin, id));
  expect(await done(listRouteDrafts(admin, { practiceId }))).toEqual([]);
  expect(await store.prisma.routeDraft.count({ where: { practiceId } })).toBe(0);
});

test("a draft is tested with the active connection's credential at that connection's server alone, whichever that is by then", async () => {
  const received: (string | undefined)[] = [];
  const elsewhere = await aPayer((incoming, outgoing) => {
    received.push(incoming.headers.authorization);
    outgoing.writeHead(404).end();
  });
  const { practiceId, admin, id } = await aDraftedConnection(store, `${elsewhere}/fhir`);
  const connection = { practiceId, payerId: "60054", connector: "pas-fhir" };
  await done(activateRouteDraft(admin, { ...id, untested: true }));
  const { draftId } = await done(beginRouteDraft(admin, connection));
  await done(setDraftAccess(admin, { practiceId, draftId, url: `${elsewhere}/fhir` }));
  await done(setRoute(admin, { ...connection, url: "http://127.0.0.1:9/fhir", credential: "the-payers-own" }));
  expect(await testRouteDraft(admin, { practiceId, draftId })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "credential" }] },
  });
  expect(received).toEqual([]);
});

test("a change of a connection keeps its credential for the same server alone", async () => {
  const { practiceId, admin, id } = await aDraftedConnection(store);
  await done(activateRouteDraft(admin, { ...id, untested: true }));
  const { draftId } = await done(beginRouteDraft(admin, { practiceId, payerId: "60054", connector: "pas-fhir" }));
  const next = { practiceId, draftId };
  expect(await setDraftAccess(admin, { ...next, url: "http://127.0.0.1:10/fhir" })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "credential" }] },
  });
  await done(setDraftAccess(admin, { ...next, url: "http://127.0.0.1:9/other" }));
  await done(activateRouteDraft(admin, { ...next, untested: true }));
  const { route } = await done(showRoute(admin, { practiceId, payerId: "60054" }));
  expect(route).toMatchObject({ version: 2, url: "http://127.0.0.1:9/other", hasCredential: true });
  expect((await loadAccess(store, route.routeId)).credential).toBe("nobody-sees-this");
});

test("a new connection begins with the notifications that the payer offers, and one that is active keeps its choice", async () => {
  const { practiceId, admin, id } = await aDraftedConnection(store);
  const settingsOf = async (draftId: string) =>
    (await done(showRouteDraft(admin, { practiceId, draftId }))).draft.input.settings;
  expect(await settingsOf(id.draftId)).toMatchObject({ subscription: "offered" });
  await done(setDraftAccess(admin, { ...id, url: "http://127.0.0.1:9/fhir", settings: { version: "2.0.1" } }));
  await done(activateRouteDraft(admin, { ...id, untested: true }));
  const again = { practiceId, payerId: "60054", connector: "pas-fhir" } as const;
  const { draftId } = await done(beginRouteDraft(admin, again));
  expect(await settingsOf(draftId)).toEqual({ version: "2.0.1" });
});
