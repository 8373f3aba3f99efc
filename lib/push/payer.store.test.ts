import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aChannel, anIntake, aPerson, aPractice, aRoute, aStore, fullReview, seenOn, theWorker } from "#test/cases";
import { edgeDeps } from "#test/edge";
import { stateNow } from "#test/sent-cases";
import { listening } from "#test/served";
import { aSimulator } from "#test/simulator";
import { pushListener } from "#lib/http/a2a-listener";
import { createFront } from "#lib/http/front";
import { dueWork } from "#lib/store/work";
import { recordPush } from "#lib/tasks/record-push";
import { releaseGate } from "#lib/tasks/release-gate";
import { sendMessage } from "#lib/tasks/send-message";
import { carry } from "#lib/worker/carry";
import { subscribeRoutes } from "#lib/worker/subscribe";

const store = aStore();
const worker = theWorker(store);
const { log } = edgeDeps();
const front = createFront({
  byPath: {},
  byPrefix: { "/api/payers/": pushListener({ store, log }) },
  rest: (_, outgoing) => void outgoing.writeHead(404).end(),
  upgrades: () => false,
  onError: () => undefined,
});
let publicUrl = "";
beforeAll(async () => void (publicUrl = await listening(front)));
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await store.close();
});
// Routes of other tests are none of a payer's here.
beforeEach(() => store.prisma.route.updateMany({ data: { connector: "manual" } }));

const bases = { "2.2.1": "fhir", "2.0.1": "fhir-2.0.1" } as const;

test.each(["2.2.1", "2.0.1"] as const)(
  "over PAS %s, proven by a signed assertion: the payer is asked to push, comes, and its push decides the case",
  async (version) => {
    const simulator = await aSimulator();
    const { privateKey, publicKey } = await generateKeyPair("ES384", { extractable: true });
    const key = { ...(await exportJWK(publicKey)), kid: "key-1", alg: "ES384" };
    await simulator.control("POST", "clients", { clientId: "clinic-1", jwks: { keys: [key] } });

    const practiceId = await aPractice(store);
    await aRoute(store, {
      practiceId,
      url: `${simulator.url}/${bases[version]}`,
      credential: JSON.stringify(await exportJWK(privateKey)),
      settings: {
        version,
        auth: "smart",
        clientId: "clinic-1",
        keyId: "key-1",
        subscription: "rest-hook",
        senderId: fullReview.requestingProvider.npi,
      },
    });
    await subscribeRoutes(store, { log, publicUrl });
    const standing = () => store.prisma.subscription.findFirst({ where: { practiceId } });
    await expect.poll(standing).toMatchObject({ subscribedAt: expect.any(Date), confirmedAt: expect.any(Date) });

    const channel = await aChannel(store, { practices: [practiceId] });
    const reviewer = await aPerson(store, { practices: [practiceId] });
    const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId: "HM1-PEND" } };
    const sent = await sendMessage(channel, anIntake({ practiceId, review }));
    if (!sent.ok) throw new Error("The intake was refused.");
    const taskId = sent.value.id;
    await releaseGate(reviewer, { taskId, seen: seenOn(sent.value) });
    await carry(worker, { log, deadlineMs: 20_000 }, taskId);
    expect(await stateNow(taskId, { channel })).toBe("transmitted");

    const [entry] = await simulator.ledger();
    const { status } = await simulator.control("POST", "decide", { trace: entry?.trace, action: "A1" });
    expect(status).toBe(200);
    await expect.poll(async () => (await dueWork(store)).pushed).toContain(taskId);
    expect(await recordPush(worker, { taskId })).toEqual({ ok: true, value: "match" });
    expect(await stateNow(taskId, { channel })).toBe("determined");
  },
);
