import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { healthOf } from "#lib/a2a/health";
import { unscoped, type Store } from "#lib/db/db";
import { readCommitStanding } from "#lib/db/replication";
import { isUnavailable } from "#lib/db/unavailable";
import { releaseGate } from "#lib/gate/release-gate";
import { gateOf, stateOf } from "#lib/task/model/task";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { openGuard } from "#lib/submission/ledger/guard";
import { readFigures } from "#lib/submission/store/figures";
import { aChannel, anIntake, aPerson, aPractice, aRoute } from "#test/support/cases/cases";
import { keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import { aReplicatedDatabase, type ReplicatedPair } from "#test/support/database/replicated";
import { aCase, arrivalsAt, overWindows, release, taskNow } from "#test/support/database/restorable";
import { aSimulator } from "#test/support/payer/simulator";
import { openWholeStore } from "#test/support/database/whole-store";
import { startWorker } from "./run.ts";

const setNames = (names: string) => [
  `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
  "SELECT pg_reload_conf()",
];
const log = pino({ level: "silent" });

async function aService({ appUrl }: ReplicatedPair, { needsStandby }: { needsStandby: boolean }) {
  const store = openWholeStore({ url: appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8, needsStandby });
  const simulator = await aSimulator();
  const practiceId = await aPractice(store, { recallWindowS: 3_600 });
  await aRoute(store, { practiceId, url: `${simulator.url}/fhir`, credential: "right" });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const folder = join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger");
  const guard = await openGuard({ store: unscoped(store), log, folder });
  const replication = needsStandby ? "required" : "warn";
  let rounds = 0;
  const onRound = () => (rounds += 1);
  const worker = startWorker({ store: unscoped(store), log, everyMs: 50, guard, replication, onRound });
  onTestFinished(async () => {
    await worker.stop();
    await guard.close();
    await store.close();
  });
  /** Waits while the worker looks for work several times. */
  const overRounds = async () => {
    const before = rounds;
    await expect.poll(() => rounds - before, { timeout: 20_000 }).toBeGreaterThan(5);
  };
  return { store, simulator, practiceId, channel, reviewer, overRounds };
}

async function releasing(
  { store, reviewer }: { store: Store; reviewer: Parameters<typeof releaseGate>[0] },
  id: string,
) {
  const gate = gateOf(await taskNow(store, id));
  if (!gate) throw new Error("The case stands at no gate.");
  return releaseGate(reviewer, { taskId: id, seen: { gateId: gate.id, revision: gate.revision, digest: gate.digest } });
}

const standing = (store: Store, expected: string) =>
  expect.poll(() => readCommitStanding(unscoped(store)).catch(String), { timeout: 20_000 }).toBe(expected);

test(
  "where a standby is required, nothing is accepted, decided or submitted while commits wait for none, and everything goes on once they do",
  { timeout: 120_000 },
  async () => {
    const database = await aReplicatedDatabase();
    await database.tell("primary", [`GRANT pg_read_all_stats TO ${database.owner}`, ...setNames("*")]);
    const service = await aService(database, { needsStandby: true });
    const { store, simulator, practiceId, channel } = service;
    await standing(store, "confirmed");
    const [waits, held] = [await aCase(service, "HM1"), await aCase(service, "HM2")];
    await release(service, waits);
    const health = healthOf(unscoped(store), { mail: false, replicates: true });
    expect(await health.readiness()).toEqual({ status: "ready", mail: "off" });

    await database.tell("primary", setNames(""));
    await standing(store, "alone");
    await overWindows(store, [waits]);
    const refused = { ok: false, refusal: { type: "not-replicated" } };
    await expect.poll(() => sendMessage(channel, anIntake({ practiceId })), { timeout: 20_000 }).toEqual(refused);
    expect(await releasing(service, held)).toEqual(refused);
    expect(await getTask(channel, { taskId: held, historyLength: 0 })).toMatchObject({ ok: true });
    await expect
      .poll(() => health.readiness(), { timeout: 20_000 })
      .toMatchObject({ status: "ready", degraded: ["replication"] });
    await service.overRounds();
    expect(stateOf(await taskNow(store, waits))).toBe("transmit-released");
    expect(await arrivalsAt(simulator)).toEqual([]);

    await database.tell("primary", setNames("*"));
    await expect.poll(async () => stateOf(await taskNow(store, waits)), { timeout: 20_000 }).toBe("transmitted");
    expect(await arrivalsAt(simulator)).toEqual([1]);
    expect(await releasing(service, held)).toMatchObject({ ok: true });
  },
);

test(
  "while commits wait for a standby that is gone, nothing is acknowledged and nothing submitted, and what was asked is there once when it is back",
  { timeout: 120_000 },
  async () => {
    const database = await aReplicatedDatabase();
    await database.tell("primary", [`GRANT pg_read_all_stats TO ${database.owner}`, ...setNames("*")]);
    const service = await aService(database, { needsStandby: true });
    const { store, simulator, practiceId, channel } = service;
    await standing(store, "confirmed");
    const waits = await aCase(service, "HM1");
    await release(service, waits);
    await database.stopStandby();
    await standing(store, "waiting");
    const intake = anIntake({ practiceId, messageId: "m-1" });
    await expect(sendMessage(channel, intake).catch((error: unknown) => isUnavailable(error))).resolves.toBe(true);
    expect(await arrivalsAt(simulator)).toEqual([]);
    await database.startStandby();
    await standing(store, "confirmed");
    const again = () => sendMessage(channel, intake).catch(String);
    await expect.poll(again, { timeout: 30_000 }).toMatchObject({ ok: true });
    expect(await store.prisma.task.count()).toBe(2);
    await overWindows(store, [waits]);
    await expect.poll(async () => stateOf(await taskNow(store, waits)), { timeout: 30_000 }).toBe("transmitted");
    expect(await arrivalsAt(simulator)).toEqual([1]);
  },
);

test(
  "where a standby is only wished for, everything goes on without one and the service says that it is degraded; the application needs no rights to see how standbys stand",
  { timeout: 120_000 },
  async () => {
    const database = await aReplicatedDatabase();
    const service = await aService(database, { needsStandby: false });
    const { store, simulator } = service;
    const health = healthOf(unscoped(store), { mail: false, replicates: true });
    expect(await health.readiness()).toMatchObject({ status: "ready", degraded: ["replication"] });
    const id = await aCase(service, "HM1");
    await release(service, id);
    await overWindows(store, [id]);
    await expect.poll(async () => stateOf(await taskNow(store, id)), { timeout: 20_000 }).toBe("transmitted");
    expect(await arrivalsAt(simulator)).toEqual([1]);
    const shown = async () => (await readFigures(unscoped(store))).standbys;
    await expect.poll(shown).toMatchObject([{ syncState: "not-shown", count: 1 }]);
    await database.tell("primary", [`GRANT pg_read_all_stats TO ${database.owner}`]);
    await expect.poll(shown).toMatchObject([{ syncState: "async", count: 1 }]);
  },
);
