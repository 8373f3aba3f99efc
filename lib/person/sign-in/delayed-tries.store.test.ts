import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entriesOf } from "#test/support/people/admin";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { beginSession, beginSignIn } from "#lib/person/session/begin-session";
import { inTurn } from "./hash-turns.ts";
import { hashPassword } from "./password.ts";
import { writeDelayedTries } from "./delayed-tries.ts";

const password = "correct horse battery";

const store = aStore();
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});
afterAll(() => store.close());

/** A reviewer who has this password. */
async function aReviewer() {
  const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
  const { id, email } = await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash } });
  return { id, email };
}

const failing = (address: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      beginSession(store, { email: `${uuidv7()}@example.org`, password: "guess" }, { address }),
    ),
  );

/** What stands of the record's entries on sign-ins that failed, of this account or from this address. */
async function failuresOn(about: { readonly person?: string; readonly address?: string }) {
  const entries = await entriesOf({ store }, "people");
  return entries.flatMap(({ act, detail }) =>
    act === "person.sign-in-failed" && Object.entries(about).every(([name, value]) => detail[name] === value)
      ? [detail]
      : [],
  );
}

test("tries while waiting make one entry with their count, and do not extend the wait", async () => {
  const { id, email } = await aReviewer();
  for (let tries = 0; tries < 7; tries += 1) await beginSession(store, { email, password: `guess ${tries}` });
  expect((await store.prisma.signInFailure.findUnique({ where: { subject: email } }))?.count).toBe(5);
  expect(await failuresOn({ person: id })).toHaveLength(5);
  await writeDelayedTries(store);
  await writeDelayedTries(store);
  const waiting = (await failuresOn({ person: id })).slice(5);
  expect(waiting).toEqual([
    { person: id, waiting: true, count: 2, first: expect.any(String), last: expect.any(String) },
  ]);
});

test("past an address's limit nothing is hashed or written but a few entries with the count", async () => {
  const [{ email }, address] = [await aReviewer(), "198.51.100.90"];
  await failing(address, 30);
  const rows = async () =>
    (await store.pool.query("SELECT xmin::text, ctid::text, * FROM sign_in_failure ORDER BY subject")).rows;
  const [before, recorded] = [await rows(), await failuresOn({ address })];
  // Whoever hashes has to wait behind these, and would be told so.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holders = Array.from({ length: 64 }, () => inTurn("anybody", () => held));
  const flood = Array.from({ length: 100 }, (_, index) =>
    beginSignIn(store, { email: index % 2 === 0 ? email : `${uuidv7()}@example.org`, password }, { address }),
  );
  expect(new Set((await Promise.all(flood)).map((begun) => (begun.ok ? "in" : begun.refusal)))).toEqual(
    new Set(["failed"]),
  );
  expect(await beginSignIn(store, { email, password }, { address: "198.51.100.91" })).toEqual({
    ok: false,
    refusal: "busy",
  });
  letGo();
  await Promise.all(holders);
  expect(await rows()).toEqual(before);
  expect(await failuresOn({ address })).toEqual(recorded);
  await writeDelayedTries(store);
  const written = (await failuresOn({ address })).slice(recorded.length);
  expect(written.length).toBeLessThanOrEqual(50);
  const all = (await entriesOf({ store }, "people")).filter(({ detail }) => detail.waiting === true).slice(-51);
  expect(all.reduce((sum, { detail }) => sum + Number(detail.count), 0)).toBe(100);
});
