import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "#lib/db/db";
import { revokeSession } from "#lib/person/store/people";
import { sessionActor } from "#lib/person/shared/live-session";
import { entriesOf } from "#test/support/people/admin";
import { aPractice, aStore } from "#test/support/cases/cases";
import { beginSession } from "#lib/person/session/begin-session";
import { hashPassword } from "./password.ts";
import { proveSession } from "./prove-session.ts";

const password = "correct horse battery";

let store: Store;
let passwordHash: string;
beforeAll(async () => {
  store = aStore();
  passwordHash = await hashPassword(password);
});
afterAll(() => store.close());

/** A session that began an hour ago. */
async function aSession() {
  const practiceId = await aPractice(store);
  const [id, anHourAgo] = [uuidv7(), new Date(Date.now() - 3_600_000)];
  const email = `${id}@example.org`;
  const person = { id, email, name: "Dana Whitfield", passwordHash };
  await store.prisma.person.create({ data: { ...person, personRoles: { create: { role: "reviewer", practiceId } } } });
  const begun = await beginSession(store, { email, password });
  if (!begun) throw new Error("the sign-in failed");
  await store.prisma.session.update({ where: { id: begun.sessionId }, data: { provedAt: anHourAgo } });
  const provedAt = async () => (await sessionActor(store, begun.sessionId))?.provedAt;
  return { ...begun, email, anHourAgo, provedAt };
}

test("a sign-in is a proof, and typing the password again renews it", async () => {
  const { anHourAgo, provedAt, ...session } = await aSession();
  expect(await provedAt()).toEqual(anHourAgo);
  const proved = await proveSession(store, session, { typed: password });
  expect(Number(proved)).toBeGreaterThan(Date.now() - 60_000);
  expect(await provedAt()).toEqual(proved);
});

test("a wrong password proves nothing, and after five the correct one waits, in this session alone", async () => {
  const { anHourAgo, provedAt, email, ...session } = await aSession();
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await proveSession(store, session, { typed: `guess ${tries}` })).toBeUndefined();
  }
  expect(await proveSession(store, session, { typed: password })).toBeUndefined();
  expect(await provedAt()).toEqual(anHourAgo);
  const actor = `person:${session.personId}`;
  const failed = (await entriesOf({ store }, "people")).filter(({ detail }) => detail.person === session.personId);
  expect(failed.filter(({ act }) => act !== "person.signed-in")).toEqual(
    Array(5).fill({ actor, act: "person.proof-failed", detail: { person: session.personId } }),
  );
  const other = await beginSession(store, { email, password });
  expect(await proveSession(store, other ?? session, { typed: password })).toBeInstanceOf(Date);
});

test("tries of strangers at sign-in never delay the proof of a signed-in person", async () => {
  const { anHourAgo, provedAt, email, ...session } = await aSession();
  for (let tries = 0; tries < 12; tries += 1)
    await beginSession(store, { email, password: "guess" }, { address: `198.51.100.${100 + (tries % 2)}` });
  expect(await beginSession(store, { email, password }, { address: "198.51.100.100" })).toBeUndefined();
  expect(await proveSession(store, session, { typed: password })).toBeInstanceOf(Date);
  expect(await provedAt()).not.toEqual(anHourAgo);
});

test("no proof revives an ended session, or reaches another person's", async () => {
  const mine = await aSession();
  const theirs = await aSession();
  const crossed = { personId: mine.personId, sessionId: theirs.sessionId };
  expect(await proveSession(store, crossed, { typed: password })).toBeUndefined();
  expect(await theirs.provedAt()).toEqual(theirs.anHourAgo);
  await revokeSession(store, mine.sessionId);
  expect(await proveSession(store, mine, { typed: password })).toBeUndefined();
});
