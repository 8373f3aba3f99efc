import { expect, test } from "vitest";
import { Outlet } from "./outlet.ts";

test("a reader that takes nothing is given up, and one that does is told everything", async () => {
  const idle = new Outlet(new AbortController().signal);
  for (let count = 0; count < 100; count += 1) idle.write("more");
  expect(idle.ended.aborted).toBe(true);
  const taken = new Outlet(new AbortController().signal);
  const reader = taken.body.getReader();
  for (let count = 0; count < 100; count += 1) {
    taken.write(String(count));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(String(count));
  }
  taken.close();
  taken.close();
  expect((await reader.read()).done).toBe(true);
});

test("an answer ends when its reader goes, by the signal or by the body's own cancel", async () => {
  const gone = new AbortController();
  const signalled = new Outlet(gone.signal);
  gone.abort();
  expect(signalled.ended.aborted).toBe(true);
  signalled.write("to nobody");
  const cancelled = new Outlet(new AbortController().signal);
  await cancelled.body.cancel();
  expect(cancelled.ended.aborted).toBe(true);
  cancelled.close();
  expect(new Outlet(AbortSignal.abort()).ended.aborted).toBe(true);
});
