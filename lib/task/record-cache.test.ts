import { afterEach, expect, test, vi } from "vitest";
import { createRecordCache } from "./record-cache.ts";
import type { TaskRecord } from "./views.ts";

afterEach(() => void vi.useRealTimers());

const query = { keyId: "k", taskId: "t", historyLength: 10 };
const dueAt = new Date("2026-11-25T12:00:00Z");
const rule = { lineOfBusiness: "medicaid", urgency: "standard", within: "7 days", source: "", note: "" };
const started = { startedAt: new Date("2026-11-20T12:00:00Z"), startedBy: "payer" } as const;

/** A record of which only what the cache looks at is there. */
function aRecord(over: object): TaskRecord {
  return { id: "t", version: 1, messages: [], attachments: [], ...over } as unknown as TaskRecord;
}

function found(record: TaskRecord, at: string): boolean {
  const records = createRecordCache();
  vi.useFakeTimers({ now: new Date("2026-11-24T12:00:00Z"), toFake: ["Date"] });
  records.keep(query, record);
  vi.setSystemTime(new Date(at));
  return records.find(query) !== undefined;
}

test("an answer is returned until the payer's deadline", () => {
  const running = aRecord({ clock: { ...started, legal: { known: true, rule, dueAt, overdue: false } } });
  expect(found(running, "2026-11-25T11:59:59Z")).toBe(true);
  expect(found(running, "2026-11-25T12:00:01Z")).toBe(false);
});

test("an answer with a missed, a stopped or an unknown deadline does not change with time", () => {
  const overdue = { ...started, legal: { known: true, rule, dueAt: started.startedAt, overdue: true } };
  const stopped = { ...started, stoppedAt: started.startedAt, legal: { known: true, rule, dueAt, overdue: false } };
  for (const clock of [overdue, stopped, { ...started, legal: { known: false } }, undefined]) {
    expect(found(aRecord({ clock }), "2027-11-25T12:00:01Z")).toBe(true);
  }
});

test("an answer with advice is not kept, because advice depends on the day", () => {
  expect(found(aRecord({ advice: { problems: [], warnings: [] } }), "2026-11-24T12:00:01Z")).toBe(false);
});

test("if there is not room for all answers, those used last are kept", () => {
  const records = createRecordCache();
  const megabytes = (count: number) => aRecord({ messages: [new Uint8Array(count * 1024 * 1024)] });
  for (let at = 0; at < 12; at += 1) records.keep({ ...query, taskId: String(at) }, megabytes(2));
  const kept = Array.from({ length: 12 }, (_, at) => records.find({ ...query, taskId: String(at) }) !== undefined);
  expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
  expect(kept.filter(Boolean)).toHaveLength(10);
});
