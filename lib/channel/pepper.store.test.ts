import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { provePepper } from "#lib/db/prove-pepper";
import { UnfitError } from "#lib/db/unfit";
import { entriesOf } from "#test/support/people/admin";
import { aChannel, aPractice, aStore, keyPepper, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { replacePepper } from "./replace-pepper.ts";

const store = aStore();
const options = { url: testDatabase.appUrl, sealingKey, connectionsMax: 2 };
const [again, other] = [
  openWholeStore({ ...options, keyPepper }),
  openWholeStore({ ...options, keyPepper: randomBytes(32) }),
];
afterAll(() => Promise.all([store.close(), again.close(), other.close()]));

test("a process with another pepper than the keys were made with is refused, until an operator accepts it", async () => {
  await aChannel(store, { practices: [await aPractice(store)] });
  await Promise.all([provePepper(store), provePepper(again)]);
  await expect(provePepper(other)).rejects.toThrow(UnfitError);
  const operator = (at: typeof store) => ({ actor: { kind: "operator" } as const, store: at });
  expect(await replacePepper(operator(again))).toEqual({ ok: true, value: { replaced: false, keys: 0 } });
  expect(await replacePepper(operator(other))).toEqual({ ok: true, value: { replaced: true, keys: 1 } });
  await provePepper(other);
  await expect(provePepper(store)).rejects.toThrow(/CHANNEL_KEY_PEPPER is not the one/);
  expect(await entriesOf({ store }, "service:all")).toEqual([
    { actor: "operator", act: "keys.pepper-replaced", detail: { keys: 1 } },
  ]);
});
