import { expect, test } from "vitest";
import { EventWriter } from "./event-writer.ts";

test("the stream of a reader that lags is closed, and another reader gets everything", async () => {
  const idle = new EventWriter(new AbortController().signal);
  for (let count = 0; count < 100; count += 1) idle.write("more");
  expect(idle.ended.aborted).toBe(true);
  const taken = new EventWriter(new AbortController().signal);
  const reader = taken.body.getReader();
  for (let count = 0; count < 100; count += 1) {
    taken.write(String(count));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(String(count));
  }
  taken.close();
  taken.close();
  expect((await reader.read()).done).toBe(true);
});

test("an answer ends when its reader leaves, by the signal or by cancellation of the body", async () => {
  const gone = new AbortController();
  const signalled = new EventWriter(gone.signal);
  gone.abort();
  expect(signalled.ended.aborted).toBe(true);
  signalled.write("to nobody");
  const cancelled = new EventWriter(new AbortController().signal);
  await cancelled.body.cancel();
  expect(cancelled.ended.aborted).toBe(true);
  cancelled.close();
  expect(new EventWriter(AbortSignal.abort()).ended.aborted).toBe(true);
});
