import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { insertDelivery } from "#lib/channel/webhook/store/deliveries";
import { saveTaskWebhook } from "#lib/channel/webhook/store/task-webhooks";
import { webhookRounds } from "#lib/channel/webhook/deliver-webhooks";
import { inTransaction, unscoped } from "#lib/db/db";
import { releaseGate } from "#lib/gate/release-gate";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { done, operator } from "#test/support/people/admin";
import {
  aChannel,
  aHeldTask,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  fullReview,
  keyPepper,
  receiptKey,
  sealingKey,
  seenOn,
} from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { aLedger, unguarded } from "#test/support/database/ledgers";
import { aPayer } from "#test/support/payer/pas/listen";
import { openWholeStore } from "#test/support/database/whole-store";
import { startWorker } from "./run.ts";

// Of its own, so that the worker finds nothing that other tests left.
const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 16 });
afterAll(() => store.close());
const log = pino({ level: "silent" });

/** A host that answers only when it is told to. */
async function aSlowHost() {
  const reached = Promise.withResolvers<ServerResponse>();
  const url = await aPayer((incoming, outgoing) => {
    incoming.resume().once("end", () => reached.resolve(outgoing));
  });
  return { url, reached: reached.promise };
}

function aWorker() {
  const whole = unscoped(store);
  const webhooks = { ...webhookRounds({ store: whole, log }), everyMs: 50 };
  return startWorker({ store: whole, log, guard: unguarded, everyMs: 50, webhooks });
}

const refusal = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "invalid" }] };

/** A released request to a payer at this address. */
async function aRelease(url: string): Promise<string> {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${url}/fhir`, settings: { version: "2.2.1" } });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const { id: taskId } = await done(sendMessage(channel, anIntake({ practiceId, review: fullReview })));
  const seen = seenOn(await done(getTask(channel, { taskId, historyLength: 0 })));
  await done(releaseGate(reviewer, { taskId, seen }));
  return practiceId;
}

test("a worker that is told to stop records the payer's answer to what it submits before it has stopped", async () => {
  const { url, reached } = await aSlowHost();
  const practiceId = await aRelease(url);
  const worker = aWorker();
  const payer = await reached;
  const stopped = worker.stop();
  payer.writeHead(422, { "content-type": "application/fhir+json" }).end(JSON.stringify(refusal));
  await stopped;
  expect(await store.prisma.transmission.findFirst({ where: { practiceId } })).toMatchObject({
    phase: "done",
    answer: "rejected",
  });
});

test("its process is not cut short while a payer takes longer to answer than anything else takes to end", async () => {
  const { url, reached } = await aSlowHost();
  const ledger = await aLedger(store);
  const practiceId = await aRelease(url);
  const env = {
    ...process.env,
    SEALING_KEY: sealingKey.toString("base64"),
    APP_DATABASE_URL: database.appUrl,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    SUBMISSION_LEDGER_DIR: ledger,
  } as const;
  const worker = spawn(process.execPath, ["lib/worker/main.ts"], { env, stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void worker.kill("SIGKILL"));
  const payer = await reached;
  const ended = once(worker, "exit");
  worker.kill("SIGTERM");
  // Longer than a process may take to end that waits for nobody.
  await sleep(10_000);
  payer.writeHead(422, { "content-type": "application/fhir+json" }).end(JSON.stringify(refusal));
  expect(await ended).toEqual([0, null]);
  expect(await store.prisma.transmission.findFirst({ where: { practiceId } })).toMatchObject({
    phase: "done",
    answer: "rejected",
  });
}, 60_000);

test("and so it does with the webhooks that it delivers", async () => {
  const { url, reached } = await aSlowHost();
  const { practiceId, taskId, channel } = await aHeldTask(store);
  const channelId = channel.actor.id;
  const { host } = new URL(url);
  await done(setChannelWebhooks({ actor: operator, store }, { channelId, hosts: [host] }));
  const change = { taskId, practiceId, version: 2, state: "transmit-held", changedAt: new Date() } as const;
  await inTransaction(store, async (tx) => {
    await saveTaskWebhook(tx, { taskId, practiceId, channelId, url: `${url}/hook` });
    await insertDelivery(tx, change);
  });
  const worker = aWorker();
  const receiver = await reached;
  const stopped = worker.stop();
  receiver.writeHead(200).end();
  await stopped;
  expect(await store.prisma.webhookDelivery.findFirst({ where: { taskId } })).toMatchObject({ status: "delivered" });
});
