import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { edgeDeps } from "#test/support/agents/edge";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { aPushFront } from "#test/support/payer/push-front";
import { aPayersDoor } from "#test/support/payer/payers-door";
import { anArchive } from "#test/support/servers/archives";
import { stateNow } from "#test/support/cases/sent-cases";
import { archiveClosedCases } from "#lib/db/archive-closed";
import { getTask } from "#lib/task/get-task";
import { attentionOf } from "#lib/task/model/task";

const archive = await anArchive();
const keys = { sealingKey, receiptKey, keyPepper };
const store = openWholeStore({ url: testDatabase.appUrl, ...keys, connectionsMax: 8, archive: archive.store });
const base = aPushFront({ store, log: edgeDeps().log });
const { aPendedTask, hearAll, eventsOf } = aPayersDoor(store, base);
afterAll(async () => {
  await store.close();
  await archive.stop();
});

test("a payer's answer to a case that is archived is matched with it and kept as a late answer", async () => {
  const { say, taskId, practiceId, channel } = await aPendedTask();
  await say("C", "2026-12-02T10:00:00Z");
  await hearAll(taskId);
  await archiveClosedCases(store, { log: pino({ enabled: false }), afterDays: 0, bytesMin: 64 });
  expect(archive.objects().filter((name) => name.startsWith(`${practiceId}/`))).not.toEqual([]);
  await say("A1", "2026-12-03T10:00:00Z");
  await hearAll(taskId);
  expect(await stateNow(taskId, { channel })).toBe("voided");
  const read = await getTask(channel, { taskId, historyLength: 10 });
  expect(read.ok && attentionOf(read.value.task)).toBe("late-answer");
});

test("a payer's answer to a case of which the archive lost the request is left to a person, and not tried without end", async () => {
  const { say, taskId, practiceId } = await aPendedTask();
  await say("C", "2026-12-02T10:00:00Z");
  await hearAll(taskId);
  await archiveClosedCases(store, { log: pino({ enabled: false }), afterDays: 0, bytesMin: 64 });
  const objects = archive.objects().filter((name) => name.startsWith(`${practiceId}/`));
  for (const name of objects) archive.damage(name, "remove");
  await say("A1", "2026-12-03T10:00:00Z");
  expect(await hearAll(taskId)).toEqual(["unknown"]);
  const [last] = (await eventsOf(taskId)).filter(({ kind }) => kind === "push").toReversed();
  expect(last).toMatchObject({ unread: true, handledAt: expect.any(Date) });
});
