import { afterAll, beforeAll, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import { signInCounters } from "#lib/person/store/sign-in-tries";
import { sessionActor } from "#lib/person/shared/live-session";
import { openWholeStore } from "#test/support/database/whole-store";
import { done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aStore } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { bootstrapAdmin } from "./bootstrap-admin.ts";
import { createPerson } from "./create-person.ts";
import { createPractice } from "#lib/practice/create-practice";
import { disablePerson } from "./disable-person.ts";
import { listPeople } from "./list-people.ts";

const store = aStore();
const ctx = { actor: operator, store };
const practice = fresh("practice");
const password = "wander tulip 9 kettle";

beforeAll(() => done(createPractice(ctx, { id: practice, name: practice })));
afterAll(() => store.close());

async function aReviewer() {
  const email = `${fresh("reviewer")}@clinic.example`;
  const { id } = await done(createPerson(ctx, { email, roles: ["reviewer"], practices: [practice], password }));
  return { id, email };
}

test("a person can sign in, with exactly the roles and practices given", async () => {
  const email = `${fresh("Reviewer")}@Clinic.example`;
  const { id } = await done(
    createPerson(ctx, { email, name: "Dana Whitfield", roles: ["reviewer"], practices: [practice], password }),
  );
  const begun = await beginSession(store, { email, password });
  const actor = begun && (await sessionActor(store, begun.sessionId));
  const provedAt = expect.any(Date);
  const roles = ["reviewer"];
  const powers = { roles, practices: [practice], administers: [], audits: [] };
  expect(actor).toEqual({ kind: "person", id, name: "Dana Whitfield", ...powers, provedAt });
  expect(await beginSession(store, { email, password: `${password}!` })).toBeUndefined();
});

test("only the argon2id hash of a password is stored, and the audit log has neither it nor the email", async () => {
  const { id, email } = await aReviewer();
  const { rows } = await store.pool.query<{ password_hash: string }>("SELECT password_hash FROM person WHERE id = $1", [
    id,
  ]);
  expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const entry = (await entriesOf(ctx, "people")).findLast(({ detail }) => detail.person === id);
  expect(entry).toEqual({
    actor: "operator",
    act: "person.created",
    detail: { person: id, roles: ["reviewer"], practices: [practice] },
  });
  expect(JSON.stringify(await done(listPeople(ctx)))).not.toContain("argon2");
  expect(JSON.stringify(await entriesOf(ctx, "people"))).not.toContain(email);
});

test("an email is one account's in whichever Unicode form it is typed", async () => {
  const typed = `${fresh("josé")}@clinic.example`.normalize("NFD");
  const create = (email: string) => createPerson(ctx, { email, roles: ["admin"], practices: [], password });
  await done(create(typed));
  expect(typed.normalize("NFC")).not.toBe(typed);
  for (const form of ["NFC", "NFD"] as const) {
    const email = typed.normalize(form);
    expect(await create(email)).toEqual({ ok: false, refusal: { type: "taken", what: "email" } });
    expect(await beginSession(store, { email, password })).toBeDefined();
    const counted = signInCounters({ account: typed.normalize("NFC") }).map(({ subject }) => subject);
    expect(await beginSession(store, { email, password: "wrong" })).toBeUndefined();
    expect(await store.prisma.signInFailure.count({ where: { subject: { in: counted } } })).toBeGreaterThan(0);
  }
  expect(await disablePerson(ctx, { email: typed })).toMatchObject({ ok: true });
});

test("an email is used once, whatever its case, also by concurrent requests", async () => {
  const name = fresh("someone");
  const emails = ["", "", ""].map((_, index) => `${index === 0 ? name.toUpperCase() : name}@clinic.example`);
  const results = await Promise.all(
    emails.map((email) => createPerson(ctx, { email, roles: ["admin"], practices: [], password })),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  for (const result of results.filter(({ ok }) => !ok))
    expect(result).toEqual({ ok: false, refusal: { type: "taken", what: "email" } });
});

test.each([
  [{ email: "nobody" }, "email"],
  [{ email: "a b@clinic.example" }, "email"],
  [{ email: "dana\u200b@clinic.example" }, "email"],
  [{ email: "\u202edana@clinic.example" }, "email"],
  [{ email: "dana@\u2060clinic.example" }, "email"],
  [{ email: "dana\u3164@clinic.example" }, "email"],
  [{ roles: [] }, "roles"],
  [{ roles: ["owner"] }, "roles"],
  [{ practices: ["nobody-made-this"] }, "practices"],
  [{ practices: [] }, "practices"],
  [{ password: "short" }, "password"],
  [{ password: "Password1234" }, "password"],
  [{ name: "two\nlines" }, "name"],
])("%j is refused, and nothing is written", async (wrong, field) => {
  const before = await everything(store);
  const right = { email: `${fresh("x")}@clinic.example`, roles: ["reviewer"], practices: [practice], password };
  expect(await createPerson(ctx, { ...right, ...wrong })).toMatchObject({
    ok: false,
    refusal: { type: "invalid", issues: [{ field }] },
  });
  expect(await everything(store)).toEqual(before);
});

test("a disabled person's sessions end in the same commit, and they cannot sign in again", async () => {
  const { id, email } = await aReviewer();
  const begun = await beginSession(store, { email, password });
  expect(await disablePerson(ctx, { email: email.toUpperCase() })).toEqual({
    ok: true,
    value: { id, sessionsEnded: 1 },
  });
  expect(begun && (await sessionActor(store, begun.sessionId))).toBeUndefined();
  expect(await beginSession(store, { email, password })).toBeUndefined();
  expect(await disablePerson(ctx, { id })).toEqual({ ok: true, value: { id, sessionsEnded: 0 } });
  const entries = (await entriesOf(ctx, "people")).filter(
    ({ act, detail }) => act === "person.disabled" && detail.person === id,
  );
  expect(entries).toHaveLength(1);
});

test.each([{ email: "nobody@clinic.example" }, { id: crypto.randomUUID() }, { id: "x" }, {}])(
  "nobody is found by %j",
  async (by) => {
    expect(await disablePerson(ctx, by)).toEqual({ ok: false, refusal: { type: "not-found", what: "person" } });
  },
);

test("there is one first administrator, also after concurrent requests", async () => {
  const database = await freshDatabase();
  const empty = openWholeStore({ url: database.appUrl, sealingKey: Buffer.alloc(32), connectionsMax: 6 });
  try {
    const first = { actor: operator, store: empty };
    const attempts = [1, 2, 3].map((n) => bootstrapAdmin(first, { email: `admin${n}@clinic.example`, password }));
    const results = await Promise.all(attempts);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(2).fill({ ok: false, refusal: { type: "admin-exists" } }));
    expect(await done(listPeople(first))).toMatchObject([{ grants: [{ role: "admin" }], status: "active" }]);
    expect(await entriesOf(first, "people")).toMatchObject([{ act: "person.created", detail: { first: true } }]);
  } finally {
    await empty.close();
  }
});

test.each(others)("%s can do none of it, and nothing is written", async (_, actor) => {
  const { email } = await aReviewer();
  const before = await everything(store);
  const as = { actor, store };
  const results = await Promise.all([
    createPerson(as, { email: `${fresh("x")}@clinic.example`, roles: ["admin"], practices: [], password }),
    disablePerson(as, { email }),
    listPeople(as),
  ]);
  for (const result of results) expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  expect(await everything(store)).toEqual(before);
});
