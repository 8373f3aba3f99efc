import { expect, test } from "vitest";
import { createOutage } from "./reach.ts";

/** A clock that stands until it is moved. */
function aClock() {
  let at = 1_000;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
}

test("failures are an outage once nobody has succeeded for as long as others may be kept trying", () => {
  const { now, pass } = aClock();
  const outage = createOutage(100, now);
  outage.failed();
  expect([outage.isSuspected(), outage.lasts()]).toEqual([true, false]);
  pass(99);
  outage.failed();
  expect(outage.lasts()).toBe(false);
  pass(1);
  expect(outage.lasts()).toBe(true);
  outage.succeeded();
  expect([outage.isSuspected(), outage.lasts()]).toEqual([false, false]);
});

test("a failure after a long wait began with the wait, and says nothing where another succeeded meanwhile", () => {
  const { now, pass } = aClock();
  const outage = createOutage(100, now);
  outage.failed(100);
  expect(outage.lasts()).toBe(true);
  outage.succeeded();
  pass(50);
  outage.failed(51);
  expect(outage.isSuspected()).toBe(false);
  outage.failed(50);
  expect([outage.isSuspected(), outage.lasts()]).toEqual([true, false]);
});
