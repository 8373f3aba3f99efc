import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { liveSession, sessionActor } from "#lib/person/shared/live-session";
import { ticketPerson } from "#lib/person/store/sign-in-tickets";
import { aPerson as anAdmin, done, entriesOf, everything, operator, others, proved } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { client } from "#test/support/people/oidc/account";
import { type RunningProvider, runProvider } from "#test/support/people/oidc/running";
import { visit } from "#test/support/people/oidc/visit";
import { issueTicket, ticketHash } from "#lib/person/sign-in/sign-in-ticket";
import { endTrip, startTrip } from "./sso-flow.ts";
import { signInBySso } from "./sso-sign-in.ts";
import type { SsoSettings } from "./sso-settings.ts";
import { unscoped } from "#lib/db/db";

const store = aStore();
const ctx = { actor: operator, store };
const backUrl = "http://localhost:3999/sign-in/sso/back";

let provider: RunningProvider;
let settings: SsoSettings;
let practiceId: string;
beforeAll(async () => {
  [provider, practiceId] = await Promise.all([runProvider(backUrl), aPractice(store)]);
  settings = {
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scope: "openid",
    groupsClaim: "groups",
    secondFactors: ["mfa", "urn:example:two"],
    backUrl,
    timeoutS: 5,
  };
});
afterAll(() => Promise.all([provider.stop(), store.close()]));

async function setOut(to = settings) {
  return done(startTrip(to, { kind: "sign-in", next: "/queue" }));
}

/** A trip whose browser is on its way back, and what it brings. */
async function aTrip(subject: string, account?: Parameters<RunningProvider["account"]>[1]) {
  await provider.account(subject, account);
  const { trip, url } = await setOut();
  const back = await visit(url, { as: subject });
  return { trip, back, came: back.searchParams };
}

const aSubject = () => `subject-${uuidv7()}`;

describe("a trip to the provider", () => {
  test("brings back issuer, subject and groups, and whether a second factor was used, from a code with PKCE", async () => {
    const subject = aSubject();
    const { trip, back, came } = await aTrip(subject, { claims: { groups: ["spine", 7] }, amr: ["pwd", "mfa"] });
    expect(back.href.startsWith(`${backUrl}?`)).toBe(true);
    expect(came.get("iss")).toBe(provider.issuer);
    const authTime: unknown = expect.any(Date);
    const identity = { issuer: `${provider.issuer}/`, subject, groups: ["spine"], hasSecondFactor: true, authTime };
    expect(await endTrip(settings, trip, came)).toEqual({ ok: true, value: identity });
  });

  test.each([
    ["neither acr nor amr", {}, false],
    ["an amr that counts for nothing", { amr: ["pwd"] }, false],
    ["an acr that is listed", { acr: "urn:example:two" }, true],
  ])("with %s tells so of the second factor", async (_, account, hasSecondFactor) => {
    const { trip, came } = await aTrip(aSubject(), account);
    expect(await endTrip(settings, trip, came)).toMatchObject({ ok: true, value: { hasSecondFactor } });
  });

  test("asks anew who it is before it links anything, even of somebody the provider knows", async () => {
    const join = await done(startTrip(settings, { kind: "join", code: "a", name: "Dana" }));
    expect(join.url.searchParams.get("prompt")).toBe("login");
    expect((await setOut()).url.searchParams.has("prompt")).toBe(false);
  });

  test("that is to prove somebody anew asks them again though it knows them, and tells when they answered", async () => {
    const subject = aSubject();
    await provider.account(subject);
    const { trip, url } = await done(startTrip(settings, { kind: "prove", sessionId: uuidv7() }));
    const came = (await visit(url, { as: subject })).searchParams;
    const identity = await done(endTrip(settings, trip, came));
    expect(Math.abs(Date.now() - (identity.authTime?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  test("brings a code back once", async () => {
    const { trip, came } = await aTrip(aSubject());
    expect(await endTrip(settings, trip, came)).toMatchObject({ ok: true });
    expect(await endTrip(settings, trip, came)).toMatchObject({ ok: false, refusal: { type: "not-valid" } });
  });

  test("that the person broke off is declined", async () => {
    const { trip, url } = await setOut();
    const back = await visit(url, { as: "nobody", refuse: true });
    expect(await endTrip(settings, trip, back.searchParams)).toMatchObject({
      ok: false,
      refusal: { type: "declined" },
    });
  });

  test.each(["state", "nonce", "verifier"] as const)("whose %s is another's ends in nothing", async (member) => {
    const { trip, came } = await aTrip(aSubject());
    const other = await setOut();
    expect(await endTrip(settings, { ...trip, [member]: other.trip[member] }, came)).toMatchObject({
      ok: false,
      refusal: { type: "not-valid" },
    });
  });

  test.each([
    ["another issuer", { iss: "https://elsewhere.example" }],
    ["no issuer", { iss: undefined }],
    ["another code", { code: "guessed" }],
    ["no code", { code: undefined }],
    ["no state", { state: undefined }],
  ])("that brings %s ends in nothing", async (_, changes) => {
    const { trip, came } = await aTrip(aSubject());
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) came.delete(name);
      else came.set(name, value);
    }
    expect(await endTrip(settings, trip, came)).toMatchObject({ ok: false, refusal: { type: "not-valid" } });
  });

  test("to a provider that is not there, or names itself otherwise, does not begin", async () => {
    const gone = { ...settings, issuer: "http://127.0.0.1:9" };
    const misnamed = { ...settings, issuer: `${provider.issuer.replace("127.0.0.1", "localhost")}` };
    for (const wrong of [gone, misnamed]) {
      const begun = await startTrip(wrong, { kind: "sign-in", next: "/" });
      expect(begun).toMatchObject({ ok: false, refusal: { type: "no-answer" } });
    }
  });

  test("with another client's secret ends in nothing", async () => {
    const { trip, came } = await aTrip(aSubject());
    const wrong = { ...settings, clientSecret: "another", clientId: client.id, issuer: `${provider.issuer}/` };
    expect(await endTrip(wrong, trip, came)).toMatchObject({ ok: false, refusal: { type: "not-accepted" } });
  });
});

describe("an identity", () => {
  const identity = (subject: string) => ({
    issuer: `${provider.issuer}/`,
    subject,
    groups: [],
    hasSecondFactor: false,
  });

  test("signs in whoever it is linked to, with the rights they have, until it is unlinked", async () => {
    const subject = aSubject();
    const { actor } = await aPerson(store, { practices: [practiceId] });
    expect(await signInBySso(store, identity(subject))).toBeUndefined();
    await done(linkPerson(ctx, { id: actor.id, issuer: provider.issuer, subject }));
    const begun = await signInBySso(store, identity(subject));
    expect(await sessionActor(store, begun?.sessionId ?? "")).toMatchObject({
      id: actor.id,
      practices: [practiceId],
    });
    expect(await done(unlinkPerson(ctx, { id: actor.id, issuer: provider.issuer }))).toEqual({
      id: actor.id,
      sessionsEnded: 1,
    });
    expect(await sessionActor(store, begun?.sessionId ?? "")).toBeUndefined();
    expect(await signInBySso(store, identity(subject))).toBeUndefined();
  });

  test("begins a session that idles out and ends as any other, whatever the provider's own does", async () => {
    const subject = aSubject();
    const { actor } = await aPerson(store, { practices: [practiceId] });
    await done(linkPerson(ctx, { id: actor.id, issuer: provider.issuer, subject }));
    const { sessionId = "" } = (await signInBySso(store, identity(subject))) ?? {};
    const { idleLeftMs = 0, leftMs = 0 } = (await liveSession(unscoped(store), sessionId)) ?? {};
    expect([idleLeftMs, leftMs].map((ms) => Math.round(ms / 60_000))).toEqual([30, 12 * 60]);
  });

  test("is asked for a second factor it has here, unless the provider says it was shown one, and not once it is unlinked", async () => {
    const subject = aSubject();
    const { actor } = await aPerson(store, { practices: [practiceId] });
    await done(linkPerson(ctx, { id: actor.id, issuer: provider.issuer, subject }));
    const [withOne, without] = [{ ...identity(subject), hasSecondFactor: true }, identity(subject)];
    const factorOf = async (sessionId = "") =>
      (await store.prisma.session.findUniqueOrThrow({ where: { id: sessionId } })).secondFactorAt;
    expect(await factorOf((await signInBySso(store, without))?.sessionId)).toBeNull();
    await store.prisma.totp.create({
      data: { personId: actor.id, secret: new Uint8Array(1), confirmedAt: new Date() },
    });
    const half = await signInBySso(store, without);
    expect(half).toEqual({ personId: actor.id, issuer: `${provider.issuer}/` });
    const ticket = await issueTicket(store, {
      personId: actor.id,
      issuer: half?.sessionId === undefined ? half?.issuer : undefined,
    });
    expect(await ticketPerson(store, ticketHash(ticket))).toMatchObject({ issuer: `${provider.issuer}/` });
    expect(await factorOf((await signInBySso(store, withOne))?.sessionId)).toBeInstanceOf(Date);
    const ofPassword = await issueTicket(store, { personId: actor.id });
    await done(unlinkPerson(ctx, { id: actor.id, issuer: provider.issuer }));
    expect(await ticketPerson(store, ticketHash(ticket))).toBeUndefined();
    expect(await ticketPerson(store, ticketHash(ofPassword))).toBeDefined();
  });

  test("of another issuer or in another case is another, and of a disabled person nobody's", async () => {
    const subject = aSubject();
    const { actor } = await aPerson(store, { practices: [practiceId] });
    await done(linkPerson(ctx, { id: actor.id, issuer: provider.issuer, subject }));
    expect(await signInBySso(store, { ...identity(subject), issuer: "https://other.example/" })).toBeUndefined();
    expect(await signInBySso(store, identity(subject.toUpperCase()))).toBeUndefined();
    await store.prisma.person.update({ where: { id: actor.id }, data: { status: "disabled" } });
    expect(await signInBySso(store, identity(subject))).toBeUndefined();
    const refused = (await entriesOf(ctx, "people")).findLast(({ act }) => act === "person.sign-in-refused");
    expect(refused).toMatchObject({ actor: "nobody", detail: { person: actor.id } });
    expect(JSON.stringify(refused)).not.toContain(subject);
  });

  test("is one person's, and a person is one subject of a provider, however many link at once", async () => {
    const [mine, theirs] = await Promise.all([1, 2].map(() => aPerson(store, { practices: [practiceId] })));
    const [first, second] = [aSubject(), aSubject()];
    const { issuer } = provider;
    const attempts = [mine, theirs].map((who) => linkPerson(ctx, { id: who?.actor.id, issuer, subject: first }));
    const results = await Promise.all(attempts);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, refusal: { type: "taken", what: "identity" } });
    const owner = results[0]?.ok ? mine : theirs;
    expect(await linkPerson(ctx, { id: owner?.actor.id, issuer, subject: second })).toEqual({
      ok: false,
      refusal: { type: "taken", what: "link" },
    });
    // Again as it is: nothing changes.
    await done(linkPerson(ctx, { id: owner?.actor.id, issuer, subject: first }));
  });

  test.each([
    [{ subject: "" }, "subject"],
    [{ subject: "a\u0000b" }, "subject"],
    [{ subject: "x".repeat(256) }, "subject"],
    [{ issuer: "here" }, "issuer"],
  ])("%j is refused, and nothing is written", async (wrong, field) => {
    const { actor } = await aPerson(store, { practices: [practiceId] });
    const before = await everything(store);
    const input = { id: actor.id, issuer: provider.issuer, subject: aSubject(), ...wrong };
    expect(await linkPerson(ctx, input)).toMatchObject({
      ok: false,
      refusal: { type: "invalid", issues: [{ field }] },
    });
    expect(await everything(store)).toEqual(before);
  });

  test("is linked by no admin of fewer practices than the person has roles in", async () => {
    const elsewhere = await aPractice(store);
    const { actor: whom } = await aPerson(store, { practices: [practiceId, elsewhere] });
    const { actor: stranger } = await aPerson(store, { practices: [elsewhere] });
    const admin = { ...anAdmin({ roles: ["admin"] }), administers: [practiceId] };
    const input = { issuer: provider.issuer, subject: aSubject() };
    for (const verb of [linkPerson, unlinkPerson]) {
      const as = { actor: proved(admin), store };
      expect(await verb(as, { id: whom.id, ...input })).toEqual({ ok: false, refusal: { type: "beyond-reach" } });
      expect(await verb(as, { id: stranger.id, ...input })).toEqual({
        ok: false,
        refusal: { type: "not-found", what: "person" },
      });
    }
  });

  test.each(others)("is linked and unlinked by no %s", async (_, actor) => {
    const { actor: whom } = await aPerson(store, { practices: [practiceId] });
    const before = await everything(store);
    const input = { id: whom.id, issuer: provider.issuer, subject: aSubject() };
    for (const verb of [linkPerson, unlinkPerson])
      expect(await verb({ actor, store }, input)).toEqual({ ok: false, refusal: { type: "not-authorised" } });
    expect(await everything(store)).toEqual(before);
  });
});
