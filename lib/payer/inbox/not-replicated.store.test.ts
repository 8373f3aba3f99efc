import { afterAll, expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { aStore } from "#test/support/cases/cases";
import { aPayersDoor } from "#test/support/payer/payers-door";
import { aPushFront } from "#test/support/payer/push-front";

const store = aStore();
afterAll(() => store.close());

const base = aPushFront({ store: { ...store, needsStandby: true }, log: edgeDeps().log });
const { aPendedTask, eventsOf, unmatchedOf } = aPayersDoor(store, base);

test("where commits have to wait for a standby and do not, a notification is not accepted and nothing of it is kept", async () => {
  const { taskId, practiceId, say } = await aPendedTask();
  const before = (await eventsOf(taskId)).length;
  const answer = await say("A1", "2026-12-02T10:00:00Z");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(await eventsOf(taskId)).toHaveLength(before);
  expect(await unmatchedOf(practiceId)).toEqual([]);
});
