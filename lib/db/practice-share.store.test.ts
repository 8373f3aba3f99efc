import { afterAll, expect, test } from "vitest";
import { aStore } from "#test/support/cases/cases";
import { inPracticeShare, isChainSuspected, lockingChain } from "./practice-share.ts";
import { PracticeHeldUpError } from "./unavailable.ts";

const store = aStore();
afterAll(() => store.close());

/** As Postgres says it. */
const notLocked = () => Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
const change = (practice: string) => inPracticeShare(store, practice, () => Promise.resolve("changed"));

test("once somebody waited for a chain in vain and nobody else got it, changes of its practice are refused at once", async () => {
  expect(await change("stuck")).toBe("changed");
  await expect(lockingChain(store, "stuck", () => Promise.reject(notLocked()))).rejects.toThrow("lock timeout");
  expect(isChainSuspected(store, "stuck")).toBe(true);
  await expect(change("stuck")).rejects.toThrow(PracticeHeldUpError);
  await expect(lockingChain(store, "stuck", () => Promise.resolve())).rejects.toThrow(PracticeHeldUpError);
  expect(await change("other")).toBe("changed");
});

test("who waited too long for a chain that others got in the meantime fails alone", async () => {
  expect(await change("busy")).toBe("changed");
  const wait = Promise.withResolvers<never>();
  const late = lockingChain(store, "busy", () => wait.promise);
  expect(await lockingChain(store, "busy", () => Promise.resolve("got it"))).toBe("got it");
  wait.reject(notLocked());
  await expect(late).rejects.toThrow("lock timeout");
  expect(isChainSuspected(store, "busy")).toBe(false);
  expect(await change("busy")).toBe("changed");
});
