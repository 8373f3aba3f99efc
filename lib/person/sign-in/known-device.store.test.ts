import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#lib/db/db";
import { endSessionsOf } from "#lib/person/store/sessions";
import { forgetSignIns } from "#lib/person/store/sign-in-failures";
import { aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { beginSession } from "#lib/person/session/begin-session";
import { deviceOf, rememberDevice } from "./known-device.ts";
import { hashPassword } from "./password.ts";

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

test("a stranger who uses up every try of an account never locks its owner out on a known device or at home", async () => {
  const { id, email } = await aReviewer();
  const device = await rememberDevice(store, id, undefined);
  const stranger = { address: "198.51.100.92" };
  const attack = async () => {
    for (let tries = 0; tries < 8; tries += 1) await beginSession(store, { email, password: "guess" }, stranger);
  };
  await attack();
  expect(await beginSession(store, { email, password }, stranger)).toBeUndefined();
  // From another address, in a browser that is new.
  expect(await beginSession(store, { email, password }, { address: "203.0.113.20" })).toBeDefined();
  // From the very network of the stranger, in a browser they signed in with before; over and over.
  for (let round = 0; round < 3; round += 1) {
    await attack();
    expect(await beginSession(store, { email, password }, { ...stranger, device })).toBeDefined();
  }
  // From more networks than the account has tries, too.
  await Promise.all(
    Array.from({ length: 25 }, async (_, network) => {
      for (let tries = 0; tries < 5; tries += 1)
        await beginSession(store, { email, password: "guess" }, { address: `192.0.2.${network}` });
    }),
  );
  expect(await beginSession(store, { email, password }, { address: "203.0.113.21" })).toBeUndefined();
  expect(await beginSession(store, { email, password }, { address: "203.0.113.21", device })).toBeDefined();
});

test("a known device has five tries of its own, opens nothing by itself, and is unknown to other accounts", async () => {
  const [mine, other] = [await aReviewer(), await aReviewer()];
  const device = await rememberDevice(store, mine.id, undefined);
  for (let tries = 0; tries < 5; tries += 1)
    expect(await beginSession(store, { email: mine.email, password: "guess" }, { device })).toBeUndefined();
  expect(await beginSession(store, { email: mine.email, password }, { device })).toBeUndefined();
  expect(await beginSession(store, { email: mine.email, password })).toBeDefined();
  for (let tries = 0; tries < 5; tries += 1) await beginSession(store, { email: other.email, password: "guess" });
  expect(await beginSession(store, { email: other.email, password }, { device })).toBeUndefined();
  // Whoever shares a desk keeps the browser's one secret, each for their own account.
  expect(await rememberDevice(store, other.id, device)).toBe(device);
  expect(await beginSession(store, { email: other.email, password }, { device })).toBeDefined();
  expect(await rememberDevice(store, other.id, "made up elsewhere")).not.toBe("made up elsewhere");
});

test("a device is forgotten when all sessions end, and after ninety days", async () => {
  const { id, email } = await aReviewer();
  const knows = async (device: string) => (await deviceOf(store, { account: email, device })) !== undefined;
  const [first, second] = [await rememberDevice(store, id, undefined), await rememberDevice(store, id, undefined)];
  expect([await knows(first), await knows(second)]).toEqual([true, true]);
  await inTransaction(store, (tx) => endSessionsOf(tx, { personId: id, only: uuidv7() }));
  expect(await knows(first)).toBe(true);
  await inTransaction(store, (tx) => endSessionsOf(tx, { personId: id, except: uuidv7() }));
  expect([await knows(first), await knows(second)]).toEqual([false, false]);
  const third = await rememberDevice(store, id, undefined);
  await store.pool.query("UPDATE known_device SET seen_at = seen_at - interval '91 days' WHERE person_id = $1", [id]);
  expect(await knows(third)).toBe(false);
  await forgetSignIns(store);
  expect(await store.prisma.knownDevice.count({ where: { personId: id } })).toBe(0);
  for (let n = 0; n < 23; n += 1) await rememberDevice(store, id, undefined);
  expect(await store.prisma.knownDevice.count({ where: { personId: id } })).toBe(20);
});
