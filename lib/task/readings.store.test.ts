import { afterAll, describe, expect, test } from "vitest";
import { NothingDone } from "#lib/db/retry";
import { entriesOf } from "#test/support/people/admin";
import { actsOf, aHeldTask, anIntake, aPerson, aStore } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import { declineGate } from "#lib/gate/decline-gate";
import { openCase } from "#lib/queue/open-case";
import { readAttachment } from "./read-attachment.ts";
import { sendMessage } from "./send-message.ts";
import { unscoped } from "#lib/db/db";

const store = aStore();
afterAll(() => store.close());

describe("a reading", () => {
  test("of a case is on record once a day for each person and gate, and the gate counts as opened by them", async () => {
    const { practiceId, channel, reviewer, taskId, seen } = await aHeldTask(store);
    const other = await aPerson(store, { practices: [practiceId], name: "Priya Raman" });
    await Promise.all(Array.from({ length: 5 }, () => openCase(reviewer, { taskId })));
    await openCase(other, { taskId });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "case.opened", "case.opened"]);
    await store.prisma.reading.updateMany({ where: { taskId }, data: { day: new Date(0) } });
    await openCase(reviewer, { taskId });
    await sendMessage(channel, anIntake({ practiceId, taskId }));
    await openCase(reviewer, { taskId });
    const entries = (await entriesOf({ store }, practiceId)).filter(({ act }) => act === "case.opened");
    expect(entries).toHaveLength(4);
    expect(entries[0]).toMatchObject({
      actor: expect.stringMatching(/^person:/),
      detail: { gateId: seen.gateId, gate: seen.digest, revision: 1 },
    });
    const gates = await store.prisma.gateOpened.findMany({ where: { practiceId, personId: reviewer.actor.id } });
    expect(gates.map(({ gateId }) => gateId)).toContain(seen.gateId);
    expect(gates).toHaveLength(2);
  });

  test("of a decided case is on record by its revision, and opens no gate", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    await declineGate(reviewer, { taskId, seen, reason: "No." });
    await openCase(reviewer, { taskId });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.declined", "case.opened"]);
    expect(await store.prisma.gateOpened.count({ where: { practiceId } })).toBe(0);
  });

  test("of a file is on record once a day by its digest alone", async () => {
    const file = aReceivedFile(aPdf("Okafor"), "application/pdf");
    const { practiceId, reviewer, taskId } = await aHeldTask(store, { files: [file] });
    for (let times = 0; times < 2; times += 1) await readAttachment(reviewer, { taskId, sha256: file.sha256 });
    const entries = await entriesOf({ store }, practiceId);
    expect(entries.filter(({ act }) => act === "case.file-opened")).toEqual([
      { actor: `person:${reviewer.actor.id}`, act: "case.file-opened", detail: { file: file.sha256 } },
    ]);
  });

  test("that cannot be recorded shows nothing", async () => {
    const { practiceId, reviewer, taskId } = await aHeldTask(store);
    // Holds the lock on the practice's audit chain, so that no entry can be appended in time.
    const holder = await unscoped(store).pool.connect();
    // This transaction may be idle longer than others.
    await holder.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
    await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('audit:' || $1, 0))", [practiceId]);
    await expect(openCase(reviewer, { taskId })).rejects.toThrow(NothingDone);
    await holder.query("ROLLBACK");
    holder.release();
    expect(await openCase(reviewer, { taskId })).toMatchObject({ ok: true });
  });
});
