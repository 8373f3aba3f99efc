import { mkdtempSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { healthOf } from "#lib/a2a/health";
import { auditRounds } from "#lib/audit/audit-rounds";
import { unscoped } from "#lib/db/db";
import { instruments } from "#lib/platform/metrics/instruments";
import { showDatabase } from "#lib/db/show-database";
import { openSigningKey } from "#lib/platform/signing-keys";
import { serveMetrics } from "#lib/platform/metrics/serve-metrics";
import { noteOutage } from "#lib/submission/store/payer-outages";
import { readHeartbeats } from "#lib/submission/store/worker-heartbeats";
import { workerNotice } from "#lib/submission/submission-notice";
import { aHeldTask, aStore } from "#test/support/cases/cases";
import { unguarded } from "#test/support/database/ledgers";
import { aReleasedTask } from "#test/support/cases/sent-cases";
import { startWorker } from "./run.ts";
import { readFigures } from "#lib/submission/store/figures";

const whole = aStore();
const store = unscoped(whole);
afterAll(() => whole.close());

const log = pino({ level: "silent" });

test("the figures say how much waits and for how long, and what waits for a payer that is away is apart", async () => {
  const { practiceId } = await aHeldTask(whole);
  const released = await aReleasedTask(whole);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await whole.prisma.transmission.updateMany({ data: { claimableAt: hourAgo } });
  const before = await readFigures(store);
  expect(before.releases.count).toBe(1);
  expect(Math.round(before.releases.oldestS / 60)).toBe(60);
  expect(before.queue).toContainEqual({ state: "transmit-held", age: "under-1h", count: 1 });
  expect(practiceId).not.toBe(released.practiceId);
  const { payerHost } = await whole.prisma.transmission.findFirstOrThrow();
  await noteOutage(store, { payerHost, reason: "ECONNREFUSED" });
  const after = await readFigures(store);
  expect(after.releases).toEqual({ count: 0, oldestS: 0 });
  expect(after.away).toMatchObject([{ payerHost }]);
});

test("a mail that the server put off is late from when it was made, and one that was given up is counted for a day", async () => {
  await aHeldTask(whole);
  const { id: personId } = await whole.prisma.person.findFirstOrThrow();
  const [ago, ahead] = [new Date(Date.now() - 1_200_000), new Date(Date.now() + 600_000)];
  const aMail = (members: object) =>
    whole.prisma.mail.create({
      data: {
        id: crypto.randomUUID(),
        personId,
        about: crypto.randomUUID(),
        status: "waiting",
        dueAt: ahead,
        ...mail,
        ...members,
      },
    });
  const mail = { kind: "account", createdAt: ago };
  await aMail({});
  expect((await readFigures(store)).mail).toEqual({ count: 0, oldestS: 0 });
  await aMail({ problem: "451", tries: 1 });
  await aMail({ problem: "550", status: "failed" });
  await aMail({ problem: "550", status: "failed", dueAt: new Date(Date.now() - 90_000_000) });
  const figures = await readFigures(store);
  expect([figures.mail.count, Math.round(figures.mail.oldestS / 60), figures.mailGivenUp]).toEqual([1, 20, 1]);
});

test("where heads of the audit log are signed, chains that never got one are late, as where their folder cannot be written", async () => {
  await aHeldTask(whole);
  const folder = join(mkdtempSync(join(tmpdir(), "heads-")), "file");
  writeFileSync(folder, "");
  const round = auditRounds({ store, log, heads: { folder, signer: openSigningKey(Buffer.alloc(32, 3)) } });
  await expect(round(new AbortController().signal)).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect((await readFigures(store, { signsHeads: true })).audit.unsignedS).toBeGreaterThan(0);
  expect((await readFigures(store)).audit.unsignedS).toBe(0);
});

test("a worker reports that it is at work; once it has been silent for a minute the service is degraded and says so, also where it ended in order", async () => {
  const health = healthOf(store, { mail: false });
  const worker = startWorker({ store, log, guard: unguarded, everyMs: 50, reports: { isMeasuring: false } });
  await expect.poll(() => readHeartbeats(store), { timeout: 10_000 }).toMatchObject([{ inHand: 0, maySubmit: true }]);
  expect(await workerNotice(store)).toBeUndefined();
  await worker.stop();
  expect(await workerNotice(store)).toBeUndefined();
  expect(await health.readiness()).toEqual({ status: "ready", mail: "off" });
  expect(await whole.prisma.workerHeartbeat.findMany()).toMatchObject([{ comparedIdentity: null, heldBefore: null }]);
  await whole.prisma.workerHeartbeat.updateMany({ data: { beatAt: new Date(Date.now() - 61_000) } });
  expect(await workerNotice(store)).toBe("no-worker");
  expect(await healthOf(store, { mail: false }).readiness()).toMatchObject({ status: "ready", degraded: ["worker"] });
});

test("a worker that does not know the database is at work and may not submit, and is no worker that submits", async () => {
  await whole.prisma.workerHeartbeat.deleteMany();
  const guard = { ...unguarded, isKnown: () => false };
  const worker = startWorker({ store, log, guard, everyMs: 50, reports: { isMeasuring: false } });
  await expect.poll(() => workerNotice(store), { timeout: 10_000 }).toBe("not-submitting");
  expect((await readFigures(store)).workers).toMatchObject({ count: 1, submitting: 0 });
  await worker.stop();
});

test("a worker whose guard has stopped some practices submits for the others, and reports so", async () => {
  await whole.prisma.workerHeartbeat.deleteMany();
  const guard = { ...unguarded, hasStops: () => true };
  const worker = startWorker({ store, log, guard, everyMs: 50, reports: { isMeasuring: false } });
  await expect.poll(() => readHeartbeats(store), { timeout: 10_000 }).toMatchObject([{ maySubmit: true }]);
  await worker.stop();
});

test("the metrics are served as Prometheus reads them, at their own port and nowhere else on it", async () => {
  const { port, stop } = await serveMetrics({ host: "127.0.0.1", port: 0, onRead: () => showDatabase(store) });
  onTestFinished(stop);
  instruments().submissions.inc({ connector: "pas-fhir", outcome: "accepted" });
  const read = async (path: string) => {
    const [reply] = await once(get({ port, path, host: "127.0.0.1" }), "response");
    let text = "";
    for await (const bytes of reply) text += String(bytes);
    return { status: reply.statusCode as number, type: reply.headers["content-type"] as string, text };
  };
  const { status, type, text } = await read("/metrics");
  expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expect(text).toContain('pa_submissions_total{connector="pas-fhir",outcome="accepted"} 1');
  expect(text).toContain("pa_database_answers 1\n");
  expect(text).toMatch(/pa_database_connections\{state="open"\} [1-9]/);
  expect((await read("/")).status).toBe(404);
});
