import type { ServerResponse } from "node:http";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
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
import { unguarded } from "#test/support/database/ledgers";
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

test("a worker that is told to stop records the payer's answer to what it submits before it has stopped", async () => {
  const { url, reached } = await aSlowHost();
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${url}/fhir`, settings: { version: "2.2.1" } });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const { id: taskId } = await done(sendMessage(channel, anIntake({ practiceId, review: fullReview })));
  const seen = seenOn(await done(getTask(channel, { taskId, historyLength: 0 })));
  await done(releaseGate(reviewer, { taskId, seen }));
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
