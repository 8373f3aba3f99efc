import { randomBytes, randomUUID } from "node:crypto";
import { bootstrapAdmin } from "#lib/person/bootstrap-admin";
import { endOwnSessions } from "#lib/person/end-sessions";
import { invitePerson } from "#lib/person/invite-person";
import { joinBySso } from "#lib/person/join-by-sso";
import { linkPerson } from "#lib/person/link-person";
import { activateRouteDraft, testRouteDraft } from "#lib/practice/draft/route-draft";
import { putProvider, removeProvider } from "#lib/practice/set-providers";
import { linkOwnAccount, proveByProvider, unlinkOwnAccount } from "#lib/person/sso/own-link";
import { addPasskey, beginPasskey, removePasskey } from "#lib/person/second-factor/own-passkeys";
import { browserRequester, proveByPasskey, signInByPasskey } from "#lib/person/second-factor/passkey-sign-in";
import { requestSignature } from "#lib/person/second-factor/passkeys";
import { signInBySso } from "#lib/person/sso/sso-sign-in";
import { noteDelayedTry, writeDelayedTries } from "#lib/person/sign-in/delayed-tries";
import type { Store } from "#lib/db/db";
import { sessionActor } from "#lib/person/shared/live-session";
import { keepPush } from "#lib/payer/inbox/store/pushes";
import { bulkAssign, bulkDecline, bulkRecall, bulkRelease, bulkSnooze } from "#lib/queue/bulk";
import { openCase } from "#lib/queue/open-case";
import { recordPush } from "#lib/payer/inbox/record-push";
import { holdAfterRecovery } from "#lib/submission/recover-task";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission, reportNotSent, reportRefused, reportSent } from "#lib/submission/manual-submission";
import { claimAgain } from "#lib/submission/transmission";
import { done, fresh, linkOf, operator } from "#test/support/people/admin";
import { aHeldTask, aPractice, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask, aReleasedTask } from "#test/support/cases/sent-cases";
import { aDraftedConnection } from "#test/support/payer/drafted-connection";
import { softPasskey } from "#test/support/people/soft-passkey";
import type { Preparation } from "./given.ts";
import { anEmail, anIdentity, signedIn, somebody } from "./people-acts.ts";

const site = { rpId: "localhost", origin: "http://localhost:3000" };

/** Verbs whose act in the record another verb has too, by their names: each leaves an entry of its own. */
export const verbActs: Readonly<Record<string, Preparation>> = {
  testRouteDraft: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => testRouteDraft(admin, id);
  },
  activateRouteDraft: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => activateRouteDraft(admin, { ...id, untested: true });
  },
  removeProvider: async (store) => {
    const ctx = { actor: operator, store };
    const [practiceId, npi] = [await aPractice(store), "1234567893"];
    await putProvider(ctx, { practiceId, npi, name: "Dr. Elm", roles: ["rendering"] });
    return () => removeProvider(ctx, { practiceId, npi });
  },
  bootstrapAdmin: async (store) => {
    // The ones an earlier test made.
    await store.prisma.person.updateMany({ where: { everywhere: { has: "admin" } }, data: { status: "disabled" } });
    return () => bootstrapAdmin({ actor: operator, store }, { email: anEmail(), password: "wander tulip 9 kettle" });
  },
  endOwnSessions: async (store) => {
    const { self } = await signedIn(store);
    return () => endOwnSessions(self, {});
  },
  joinBySso: async (store) => {
    const roles = [{ role: "reviewer", practiceId: await aPractice(store) }] as const;
    const { token } = await linkOf(invitePerson({ actor: operator, store }, { email: anEmail(), roles: [...roles] }));
    const identity = { ...anIdentity(), groups: [], hasSecondFactor: false };
    return () => joinBySso(store, { token, name: "Lee Park", identity });
  },
  linkOwnAccount: async (store) => {
    const { self } = await signedIn(store);
    return () => linkOwnAccount(self, { ...anIdentity(), groups: [], hasSecondFactor: false });
  },
  unlinkOwnAccount: async (store) => {
    const { self } = await signedIn(store);
    const identity = { ...anIdentity(), groups: [], hasSecondFactor: false };
    await done(linkOwnAccount(self, identity));
    return () => unlinkOwnAccount(self, identity.issuer);
  },
  proveByProvider: async (store) => {
    const { id } = await somebody(store);
    const { issuer, subject } = anIdentity();
    await done(linkPerson({ actor: operator, store }, { id, issuer, subject }));
    // A provider's address is kept as a URL is written.
    const identity = { issuer: `${issuer}/`, subject, groups: [], hasSecondFactor: true };
    const { sessionId = "" } = (await signInBySso(store, identity)) ?? {};
    const actor = await sessionActor(store, sessionId);
    if (!actor) throw new Error("The session is over.");
    return () => proveByProvider({ actor, store, sessionId }, identity);
  },
  addPasskey: async (store) => {
    const { self } = await signedIn(store);
    const { challenge } = await done(beginPasskey(self, site));
    const response = softPasskey(site).make({ challenge, counter: 1 });
    return () => addPasskey(self, { site, response, name: "Phone" });
  },
  removePasskey: async (store) => {
    const { self, device } = await withPasskey(store);
    return () => removePasskey(self, { id: device.id });
  },
  signInByPasskey: async (store) => {
    const { device } = await withPasskey(store);
    const browser = randomBytes(32).toString("base64url");
    const { challenge } = await requestSignature(store, { site, requester: browserRequester(browser) });
    return () => signInByPasskey(store, { site, browser, response: device.sign({ challenge, counter: 2 }) });
  },
  proveByPasskey: async (store) => {
    const { self, device } = await withPasskey(store);
    const session = { personId: self.actor.id, sessionId: self.sessionId };
    const requester = `session:${self.sessionId}:prove` as const;
    const { challenge } = await requestSignature(store, { site, requester, personId: session.personId });
    return () => proveByPasskey(store, { ...session, site, response: device.sign({ challenge, counter: 2 }) });
  },
  writeDelayedTries: (store) =>
    Promise.resolve(() => {
      noteDelayedTry(store, { account: anEmail(), personId: undefined, address: "192.0.2.7" });
      return writeDelayedTries(store);
    }),
  startManualSubmission: async (store) => {
    const { reviewer, at } = await aCaseByHand(store);
    return () => startManualSubmission(reviewer, at);
  },
  reportSent: async (store) => {
    const { reviewer, at } = await aCaseByHand(store);
    await startManualSubmission(reviewer, at);
    return () => reportSent(reviewer, { ...at, delivery: "fax" });
  },
  reportRefused: async (store) => {
    const { reviewer, at } = await aCaseByHand(store);
    await startManualSubmission(reviewer, at);
    return () => reportRefused(reviewer, { ...at, reason: "Unknown member." });
  },
  reportNotSent: async (store) => {
    const { reviewer, at } = await aCaseByHand(store);
    await startManualSubmission(reviewer, at);
    return () => reportNotSent(reviewer, { ...at, reason: "The fax was busy." });
  },
  bulkAssign: async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    return () => bulkAssign(reviewer, { items: [{ taskId, from: undefined }], to: reviewer.actor.id });
  },
  bulkSnooze: async (store) => {
    const { reviewer, taskId } = await aHeldTask(store);
    const { changedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    const items = [{ taskId, changedAt: changedAt.toISOString() }];
    return () => bulkSnooze(reviewer, { items, choice: "4-hours", zone: "UTC" });
  },
  bulkDecline: async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    return () => bulkDecline(reviewer, { items: [{ taskId, seen }], reason: "Not needed." });
  },
  bulkRecall: async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 600 });
    await releaseGate(reviewer, { taskId, seen });
    return () => bulkRecall(reviewer, { items: [{ taskId, gateId: seen.gateId }] });
  },
  bulkRelease: async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    await openCase(reviewer, { taskId });
    return () => bulkRelease(reviewer, { items: [{ taskId, seen }] });
  },
  claimAgain: async (store) => {
    const { practiceId, taskId } = await anAnsweredTask(store, { type: "unknown", reason: "no reply" });
    await store.prisma.route.updateMany({ where: { practiceId }, data: { settings: { resend: "by-identity" } } });
    return () => claimAgain(theWorker(store), { taskId });
  },
  holdAfterRecovery: async (store) => {
    const { taskId } = await aReleasedTask(store);
    return () => holdAfterRecovery({ actor: operator, store }, taskId);
  },
  recordPush: async (store) => {
    const { practiceId, taskId } = await anAnsweredTask(store, { type: "accepted" });
    await keepPush(store, { taskId, practiceId, digest: randomUUID(), body: Buffer.from('{"resourceType":"Bundle"}') });
    return () => recordPush(theWorker(store), { taskId });
  },
};

async function withPasskey(store: Store) {
  const { self } = await signedIn(store);
  const device = softPasskey(site);
  const { challenge } = await done(beginPasskey(self, site));
  await done(addPasskey(self, { site, response: device.make({ challenge, counter: 1 }), name: fresh("laptop") }));
  return { self, device };
}

/** A released case whose payer has no connection. */
async function aCaseByHand(store: Store) {
  const { reviewer, taskId, seen } = await aHeldTask(store);
  await done(releaseGate(reviewer, { taskId, seen }));
  return { reviewer, at: { taskId, gateId: seen.gateId } };
}
