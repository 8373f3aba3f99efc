import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { nowMs } from "#lib/platform/now";
import { createSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { done } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { softPasskey } from "#test/support/people/soft-passkey";
import type { Self } from "./own-factors.ts";
import { addPasskey, beginPasskey, removePasskey } from "./own-passkeys.ts";
import { browserRequester, proveByPasskey, signInByPasskey } from "./passkey-sign-in.ts";
import { challengeLifeMs, makeChallenge } from "./passkey-challenge.ts";
import { requestSignature } from "./passkeys.ts";
import { issueTicket } from "#lib/person/sign-in/sign-in-ticket";

const site = { rpId: "localhost", origin: "http://localhost:3000" };
const [store, other] = [aStore(), aStore()];
afterAll(() => Promise.all([store.close(), other.close()]));

/** Somebody signed in, as a request of that session knows them. */
async function somebody(): Promise<Self> {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  const { id: sessionId } = await createSession(store, { personId: actor.id });
  const proved = await sessionActor(store, sessionId);
  if (!proved) throw new Error("the session is over");
  return { actor: proved, store, sessionId };
}

/** Somebody with one passkey, whose device counts from 1 on. */
async function withPasskey() {
  const self = await somebody();
  const device = softPasskey(site);
  const { challenge } = await done(beginPasskey(self, site));
  const response = device.make({ challenge, counter: 1 });
  await done(addPasskey(self, { site, response, name: "Work laptop" }));
  return { self, device };
}

const aBrowser = () => randomBytes(32).toString("base64url");

/** What a browser is asked to have signed; of one person where the first step named them. */
const challengeFor = async (browser: string, personId?: string) =>
  (await requestSignature(store, { site, requester: browserRequester(browser), personId })).challenge;

const sessionsOf = ({ actor }: Self) => store.prisma.session.count({ where: { personId: actor.id } });

test("a passkey signs in alone, and counts as a second factor", async () => {
  const { self, device } = await withPasskey();
  const browser = aBrowser();
  const response = device.sign({ challenge: await challengeFor(browser), counter: 2 });
  const begun = await signInByPasskey(store, { site, browser, response });
  expect(begun?.personId).toBe(self.actor.id);
  const session = await store.prisma.session.findUniqueOrThrow({ where: { id: begun?.sessionId ?? "" } });
  expect(session.secondFactorAt).toBeInstanceOf(Date);
});

test("a signature opens one session, also at two processes at once, and never another", async () => {
  const { self, device } = await withPasskey();
  const browser = aBrowser();
  const before = await sessionsOf(self);
  const response = device.sign({ challenge: await challengeFor(browser), counter: 2 });
  const at = [store, other, store, other];
  const begun = await Promise.all(at.map((where) => signInByPasskey(where, { site, browser, response })));
  expect(begun.filter((each) => each !== undefined)).toHaveLength(1);
  expect(await signInByPasskey(store, { site, browser, response })).toBeUndefined();
  const again = device.sign({ challenge: challengeOf(response), counter: 3 });
  expect(await signInByPasskey(store, { site, browser, response: again })).toBeUndefined();
  expect(await sessionsOf(self)).toBe(before + 1);
});

test("a signature for another browser's challenge opens nothing, and uses nothing up there", async () => {
  const { device } = await withPasskey();
  const [mine, theirs] = [aBrowser(), aBrowser()];
  const response = device.sign({ challenge: await challengeFor(theirs), counter: 2 });
  expect(await signInByPasskey(store, { site, browser: mine, response })).toBeUndefined();
  expect(await signInByPasskey(store, { site, browser: theirs, response })).toBeDefined();
});

test("a challenge that is unknown, expired, for another purpose or for another site opens nothing", async () => {
  const { self, device } = await withPasskey();
  const browser = aBrowser();
  const tried = async (challenge: string, signer = device) =>
    signInByPasskey(store, { site, browser, response: signer.sign({ challenge, counter: 2 }) });
  expect(await tried(aBrowser())).toBeUndefined();
  const at = (ms: number) => Buffer.from(makeChallenge(store, browserRequester(browser), ms)).toString("base64url");
  expect(await tried(at(nowMs() - challengeLifeMs))).toBeUndefined();
  const toProve = await requestSignature(store, { site, requester: `session:${self.sessionId}:prove` });
  expect(await tried(toProve.challenge)).toBeUndefined();
  const toAdd = await done(beginPasskey(self, site));
  expect(await tried(toAdd.challenge)).toBeUndefined();
  const elsewhere = softPasskey({ ...site, origin: "http://localhost.example" });
  expect(await tried(await challengeFor(browser), { ...elsewhere, id: device.id })).toBeUndefined();
});

test("another account's challenge adds and proves nothing, and another account's passkey proves nobody else", async () => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()];
  const { challenge } = await done(beginPasskey(theirs.self, site));
  const response = softPasskey(site).make({ challenge });
  expect(await addPasskey(mine.self, { site, response, name: "x" })).toEqual({ ok: false, refusal: "not-found" });
  const ask = ({ sessionId, actor }: Self) =>
    requestSignature(store, { site, requester: `session:${sessionId}:prove`, personId: actor.id });
  const prove = async (self: Self, device: typeof mine.device, prover: Self) => {
    const signed = device.sign({ challenge: (await ask(prover)).challenge, counter: 2 });
    return proveByPasskey(store, { personId: self.actor.id, sessionId: self.sessionId, site, response: signed });
  };
  expect(await prove(mine.self, mine.device, theirs.self)).toBeUndefined();
  expect(await prove(mine.self, theirs.device, mine.self)).toBeUndefined();
  expect(await prove(mine.self, mine.device, mine.self)).toBeInstanceOf(Date);
});

test("a counter that does not rise is a copy's, and is refused, also at two processes at once", async () => {
  const { device } = await withPasskey();
  const by = async (counter: number, where = store) => {
    const browser = aBrowser();
    const response = device.sign({ challenge: await challengeFor(browser), counter });
    return (await signInByPasskey(where, { site, browser, response })) !== undefined;
  };
  expect(await by(5)).toBe(true);
  for (const counter of [5, 4, 1, 0]) expect(await by(counter), String(counter)).toBe(false);
  expect((await Promise.all([by(6), by(6, other), by(6), by(6, other)])).filter(Boolean)).toHaveLength(1);
  expect(await by(7)).toBe(true);
});

test("a device that did not verify its user opens nothing, nor one of a deactivated account", async () => {
  const { self, device } = await withPasskey();
  const browser = aBrowser();
  const tried = async (isVerified: boolean) => {
    const response = device.sign({ challenge: await challengeFor(browser), counter: 2, isVerified });
    return signInByPasskey(store, { site, browser, response });
  };
  expect(await tried(false)).toBeUndefined();
  await store.prisma.person.update({ where: { id: self.actor.id }, data: { status: "disabled" } });
  expect(await tried(true)).toBeUndefined();
});

test("whatever was wrong, the answer is the same, and nothing but a used challenge is left behind", async () => {
  const { self, device } = await withPasskey();
  const before = await store.prisma.passkey.findMany({ where: { personId: self.actor.id } });
  const browser = aBrowser();
  const stranger = softPasskey(site);
  const wrong = [
    stranger.sign({ challenge: await challengeFor(browser), counter: 2 }),
    { ...stranger.sign({ challenge: await challengeFor(browser), counter: 2 }), id: device.id, rawId: device.id },
    device.sign({ challenge: await challengeFor(aBrowser()), counter: 2 }),
    device.sign({ challenge: await challengeFor(browser), counter: 1 }),
    {},
    { id: 7 },
    { id: device.id, response: { clientDataJSON: "%%%" } },
  ];
  for (const response of wrong) expect(await signInByPasskey(store, { site, browser, response })).toBeUndefined();
  expect(await store.prisma.passkey.findMany({ where: { personId: self.actor.id } })).toEqual(before);
});

test("a request for a challenge and a wrong proof write no row; each accepted proof writes one", async () => {
  const { device } = await withPasskey();
  const before = await rowCounts();
  const browser = aBrowser();
  for (let visit = 0; visit < 20; visit += 1) await challengeFor(aBrowser());
  const stranger = { ...softPasskey(site), id: device.id };
  for (const signer of [softPasskey(site), stranger]) {
    const response = signer.sign({ challenge: await challengeFor(browser), counter: 2 });
    expect(await signInByPasskey(store, { site, browser, response })).toBeUndefined();
  }
  expect(await rowCounts()).toEqual(before);
  const response = device.sign({ challenge: await challengeFor(browser), counter: 2 });
  expect(await signInByPasskey(store, { site, browser, response })).toBeDefined();
  const { used_passkey_challenge: used = 0, session = 0 } = before;
  expect(await rowCounts()).toMatchObject({ used_passkey_challenge: used + 1, session: session + 1 });
});

test("a challenge has one valid text: no other that decodes to the same opens another session", async () => {
  const { device } = await withPasskey();
  const browser = aBrowser();
  const challenge = await challengeFor(browser);
  const tried = async (text: string, counter: number) =>
    signInByPasskey(store, { site, browser, response: device.sign({ challenge: text, counter }) });
  expect(await tried(challenge, 2)).toBeDefined();
  for (const [index, text] of [
    `${challenge}=`,
    ` ${challenge}`,
    challenge.replaceAll("-", "+"),
    `${challenge}A`,
  ].entries())
    expect(await tried(text, index + 3)).toBeUndefined();
});

/** How many rows each table has. */
async function rowCounts(): Promise<Readonly<Record<string, number>>> {
  const { rows } = await store.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND has_table_privilege(quote_ident(tablename), 'SELECT')",
  );
  const counts = rows.map(async ({ name }) => {
    const counted = await store.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${name}"`);
    return [name, counted.rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

test("as the second step, a passkey of the same person continues the first step", async () => {
  const { self, device } = await withPasskey();
  const issuer = "https://idp.example";
  const browser = await issueTicket(store, { personId: self.actor.id, issuer });
  const response = device.sign({ challenge: await challengeFor(browser, self.actor.id), counter: 2 });
  const begun = await signInByPasskey(store, { site, browser, response });
  const session = await store.prisma.session.findUniqueOrThrow({ where: { id: begun?.sessionId ?? "" } });
  expect(session.issuer).toBe(issuer);
});

/** The challenge an answer was made for. */
function challengeOf({ response }: Readonly<Record<string, unknown>>): string {
  // Safe because the soft device writes it so.
  const { clientDataJSON } = response as { clientDataJSON: string };
  const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge: string };
  return challenge;
}

test("the only passkey of a person without a password cannot be removed, and one of two can", async () => {
  const { self, device } = await withPasskey();
  const add = async () => {
    const { challenge } = await done(beginPasskey(self, site));
    await done(addPasskey(self, { site, response: softPasskey(site).make({ challenge, counter: 1 }), name: "Phone" }));
  };
  await store.prisma.person.update({ where: { id: self.actor.id }, data: { passwordHash: null } });
  expect(await removePasskey(self, { id: device.id })).toEqual({ ok: false, refusal: "last-way" });
  await add();
  const rows = await store.prisma.passkey.findMany({ where: { personId: self.actor.id } });
  const removed = await Promise.all(rows.map(({ id }) => removePasskey(self, { id })));
  expect(removed.filter(({ ok }) => ok)).toHaveLength(1);
});
