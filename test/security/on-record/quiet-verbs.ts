import { lookAtSession } from "#lib/person/session/look-at-session";
import { randomBytes } from "node:crypto";
import { findAdministeredPerson } from "#lib/person/administered-person";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { listChanges } from "#lib/change-request/list-changes";
import { firstCommand } from "#lib/channel/first-command";
import { previewChannelAccess } from "#lib/channel/change-channel-access";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { showChannelWebhooks } from "#lib/channel/webhook/channel-deliveries";
import { openLink } from "#lib/person/choose-password";
import { listOwnChannels, showChannelOfKey, showOwnedChannel } from "#lib/channel/own-channel";
import { listOwnSessions } from "#lib/person/end-sessions";
import { previewImport } from "#lib/practice/import/import-settings";
import { listChannels } from "#lib/channel/list-channels";
import {
  beginRouteDraft,
  discardRouteDraft,
  listRouteDrafts,
  setDraftAccess,
  showRouteDraft,
} from "#lib/practice/draft/route-draft";
import { anOpenedCase } from "#test/support/cases/emergency";
import { listEmergencyAccesses, showEmergencyCase } from "#lib/task/emergency-access";
import { aDraftedConnection } from "#test/support/payer/drafted-connection";
import { connectionsNeedingAttention } from "#lib/practice/connection-attention";
import { firstRun } from "#lib/practice/first-run";
import { listPractices, listRoutes, showPractice } from "#lib/practice/list-practices";
import { listGroups } from "#lib/person/map-group";
import { inspectRecord } from "#lib/submission/recover-record";
import { showChannelVersions } from "#lib/channel/show-channel-versions";
import { showPerson } from "#lib/person/show-person";
import { showDirectory, showPayer, showPayerVersions } from "#lib/practice/directory/show-directory";
import { readPayerDirectories } from "#lib/practice/directory/read-payer-directories";
import { showRoute, showVersions } from "#lib/practice/show-route";
import { tryCall } from "#lib/channel/try-call";
import { listKeys } from "#lib/practice/turn-keys";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { rememberDevice } from "#lib/person/sign-in/known-device";
import { ownLink } from "#lib/person/sso/own-link";
import { beginPasskey } from "#lib/person/second-factor/own-passkeys";
import { beginTotp, offeredTotp } from "#lib/person/second-factor/own-totp";
import { requestSignature } from "#lib/person/second-factor/passkeys";
import { issueTicket, secondStep, ticketOwner } from "#lib/person/sign-in/sign-in-ticket";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { claimSubscription } from "#lib/payer/inbox/shared/subscriptions";
import type { Store } from "#lib/db/db";
import { previewRelease } from "#lib/queue/bulk";
import { withDeskMarks } from "#lib/queue/desk-marks";
import { explainStale } from "#lib/gate/explain-stale";
import { getTask } from "#lib/task/get-task";
import { whatIsAtRisk } from "#lib/queue/at-risk";
import { indexNewCases } from "#lib/queue/index-cases";
import { casesInList, countMatches, countQueue, listQueue, queryOf } from "#lib/queue/list-queue";
import { nextToDecide, walkFrom } from "#lib/queue/walk";
import { decidedLately } from "#lib/gate/decided-lately";
import { keepDeskChoices } from "#lib/person/keep-desk-choices";
import { markPresence } from "#lib/queue/mark-presence";
import { queueChoices, adminsToAsk } from "#lib/queue/queue-choices";
import { countSavedViews, savedViews } from "#lib/queue/saved-views";
import { queueFacets } from "#lib/queue/queue-facets";
import { practicesInReports } from "#lib/report/report-practices";
import { rollUpReports } from "#lib/report/roll-up-reports";
import { showReport } from "#lib/report/show-report";
import { openPushDoor, receivePush } from "#lib/payer/inbox/receive-push";
import { explainSubmission, payerHostRecords } from "#lib/submission/explain-submission";
import { inspectService } from "#lib/submission/inspect-service";
import { payerAwaySince, payersAway } from "#lib/submission/payers-away";
import { workerNotice } from "#lib/submission/submission-notice";
import { unmatchedCount, unmatchedPushes } from "#lib/payer/inbox/unmatched-pushes";
import { keepTrace } from "#lib/task/keep-trace";
import { operator } from "#test/support/people/admin";
import { aHeldTask, aPractice, aRoute } from "#test/support/cases/cases";
import { aLedger } from "#test/support/database/ledgers";
import { notification, replyAs } from "#test/support/payer/pas/push";
import { aPayersDoor } from "#test/support/payer/payers-door";
import type { Preparation } from "./given.ts";
import { signedIn } from "./people-acts.ts";

const site = { rpId: "localhost", origin: "http://localhost:3000" };
const question = { view: "all", sort: "due", filters: {} } as const;

type HeldTask = Awaited<ReturnType<typeof aHeldTask>>;

/** What is asked of a case that waits at its gate. */
const ofCase =
  (ask: (held: HeldTask) => Promise<unknown>): Preparation =>
  async (store) => {
    const held = await aHeldTask(store);
    return () => ask(held);
  };

type Admin = { readonly ctx: Context; readonly practiceId: string; readonly channelId: string };

/** What an operator asks of a practice with a route and a channel. */
const ofPractice =
  (ask: (admin: Admin & { readonly personId: string }) => Promise<unknown>): Preparation =>
  async (store) => {
    const { practiceId, channel, reviewer } = await aHeldTask(store, { routed: true });
    const ctx = { actor: operator, store };
    return () => ask({ ctx, practiceId, channelId: channel.actor.id, personId: reviewer.actor.id });
  };

/** What a signed-in person asks of what is their own. */
const ofSelf =
  (ask: (self: Awaited<ReturnType<typeof signedIn>>["self"]) => Promise<unknown>): Preparation =>
  async (store) => {
    const { self } = await signedIn(store);
    return () => ask(self);
  };

const reviewing = (ask: (reviewer: Context<PersonActor>) => Promise<unknown>) =>
  ofCase(({ reviewer }) => ask(reviewer));

/** Verbs that only read: none of them writes anything at all. */
export const reads: Readonly<Record<string, Preparation>> = {
  findAdministeredPerson: ofPractice(({ ctx, personId }) => findAdministeredPerson(ctx.store, ctx.actor, personId)),
  browseAuditLog: ofPractice(({ ctx, practiceId }) => browseAuditLog(ctx, { practiceId })),
  showChannelCalls: ofPractice(({ ctx, channelId }) => showChannelCalls(ctx, { channelId })),
  showChannelWebhooks: ofPractice(({ ctx, channelId }) => showChannelWebhooks(ctx, { channelId })),
  showChannelOfKey: ofCase(({ channel }) =>
    showChannelOfKey(channel.store, { key: channel.key, address: undefined, book: { countDenial: () => undefined } }),
  ),
  listOwnChannels: reviewing((reviewer) => listOwnChannels(reviewer)),
  showOwnedChannel: async (store) => {
    const { reviewer, channel } = await aHeldTask(store);
    const channelId = channel.actor.id;
    await store.prisma.channel.update({ where: { id: channelId }, data: { ownerId: reviewer.actor.id } });
    return () => showOwnedChannel(reviewer, channelId);
  },
  openLink: (store) => Promise.resolve(() => openLink(store, "no link")),
  listOwnSessions: ofSelf((self) => listOwnSessions(self)),
  previewImport: ofPractice(({ ctx }) => previewImport(ctx, { kind: "practices", text: "id,name\nnew-one,Elm\n" })),
  listChannels: ofPractice(({ ctx }) => listChannels(ctx)),
  listPractices: ofPractice(({ ctx }) => listPractices(ctx)),
  showEmergencyCase: async (store) => {
    const { admin, taskId } = await anOpenedCase(store);
    return () => showEmergencyCase(admin, { taskId });
  },
  listEmergencyAccesses: reviewing((reviewer) => listEmergencyAccesses(reviewer)),
  showRouteDraft: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => showRouteDraft(admin, id);
  },
  lookAtSession: async (store) => {
    const { self } = await signedIn(store);
    return () => lookAtSession(store, self.sessionId);
  },
  listRouteDrafts: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => listRouteDrafts(admin, id);
  },
  listRoutes: ofPractice(({ ctx, practiceId }) => listRoutes(ctx, { practiceId })),
  listChanges: ofPractice(({ ctx }) => listChanges(ctx)),
  connectionsNeedingAttention: ofPractice(({ ctx }) => connectionsNeedingAttention(ctx)),
  firstRun: reviewing((reviewer) => firstRun(reviewer)),
  firstCommand: ofPractice(({ ctx, channelId }) =>
    firstCommand(ctx, { channelId, key: "pa_1", baseUrl: "https://pa.example" }),
  ),
  previewChannelAccess: ofPractice(({ ctx, channelId }) =>
    previewChannelAccess(ctx, { channelId, atoms: ["tasks_get"] }),
  ),
  showPractice: ofPractice(({ ctx, practiceId }) => showPractice(ctx, { practiceId })),
  listGroups: ofPractice(({ ctx }) => listGroups(ctx)),
  inspectRecord: async (store) => {
    const folder = await aLedger(store);
    return () => inspectRecord({ actor: operator, store }, { folder, heads: [] });
  },
  showChannelVersions: ofPractice(({ ctx, channelId }) => showChannelVersions(ctx, { channelId })),
  showPerson: ofPractice(({ ctx, personId }) => showPerson(ctx, { id: personId })),
  showRoute: ofPractice(({ ctx, practiceId }) => showRoute(ctx, { practiceId, payerId: "87042" })),
  showDirectory: ofPractice(({ ctx, practiceId }) => showDirectory(ctx, { practiceId })),
  showPayer: ofPractice(({ ctx, practiceId }) => showPayer(ctx, { practiceId, payerId: "60054" })),
  showPayerVersions: ofPractice(({ ctx, practiceId }) => showPayerVersions(ctx, { practiceId, payerId: "60054" })),
  showVersions: ofPractice(({ ctx, practiceId }) => showVersions(ctx, { practiceId })),
  tryCall: ofPractice(({ ctx, channelId, practiceId }) => tryCall(ctx, { channelId, atom: "tasks_get", practiceId })),
  listKeys: ofPractice(({ ctx }) => listKeys(ctx)),
  verifyAuditLog: ofPractice(({ ctx, practiceId }) => verifyAuditLog(ctx, { chain: practiceId })),
  ownLink: ofSelf((self) => ownLink(self, "https://idp.example")),
  beginPasskey: ofSelf((self) => beginPasskey(self, site)),
  requestSignature: ofSelf(({ store, sessionId }) =>
    requestSignature(store, { site, requester: `session:${sessionId}:prove` }),
  ),
  offeredTotp: ofSelf((self) => offeredTotp(self)),
  secondStep: (store) => Promise.resolve(() => secondStep(store, "no ticket")),
  ticketOwner: (store) => Promise.resolve(() => ticketOwner(store, "no ticket")),
  previewRelease: ofCase(({ reviewer, taskId, seen }) => previewRelease(reviewer, { taskId, seen })),
  withDeskMarks: ofCase(({ reviewer, taskId }) => withDeskMarks(reviewer, [{ taskId, state: "transmit-held" }])),
  explainStale: ofCase(({ reviewer, taskId, seen }) =>
    explainStale(reviewer, { taskId, seen: { ...seen, revision: 7 } }, { type: "stale", state: "transmit-held" }),
  ),
  authenticateChannel: ofCase(({ channel }) => authenticateChannel(channel.store, channel.key)),
  readPayerDirectories: ofCase(({ channel }) => readPayerDirectories(channel)),
  getTask: ofCase(({ channel, taskId }) => getTask(channel, { taskId, historyLength: 10 })),
  listQueue: reviewing((reviewer) => listQueue(reviewer, question)),
  casesInList: ofCase(({ reviewer, taskId }) => casesInList(reviewer, question, [taskId])),
  countSavedViews: reviewing((reviewer) => countSavedViews(reviewer, [{ id: "one", name: "All", query: "view=all" }])),
  countMatches: reviewing((reviewer) => countMatches(reviewer, question)),
  queryOf: reviewing((reviewer) => queryOf(reviewer, question)),
  walkFrom: ofCase(({ reviewer, taskId }) => walkFrom(reviewer, question, taskId)),
  nextToDecide: reviewing((reviewer) => nextToDecide(reviewer, question)),
  decidedLately: ofCase(({ reviewer, taskId, seen }) =>
    decidedLately(reviewer, { places: [{ taskId, gateId: seen.gateId }] }),
  ),
  whatIsAtRisk: reviewing((reviewer) => whatIsAtRisk(reviewer)),
  countQueue: reviewing((reviewer) => countQueue(reviewer)),
  savedViews: reviewing((reviewer) => savedViews(reviewer)),
  queueFacets: reviewing((reviewer) => queueFacets(reviewer, question)),
  queueChoices: reviewing((reviewer) => queueChoices(reviewer)),
  adminsToAsk: reviewing((reviewer) => Promise.resolve(adminsToAsk(reviewer))),
  practicesInReports: reviewing((reviewer) => practicesInReports(reviewer)),
  showReport: reviewing((reviewer) => showReport(reviewer, { report: "overview", zone: "UTC" })),
  payersAway: reviewing((reviewer) => payersAway(reviewer)),
  payerAwaySince: ofCase(({ reviewer, taskId }) => payerAwaySince(reviewer, { taskId })),
  workerNotice: (store) => Promise.resolve(() => workerNotice(store)),
  explainSubmission: ofCase(({ reviewer, taskId }) =>
    explainSubmission({ actor: operator, store: reviewer.store }, { taskId }),
  ),
  payerHostRecords: (store) => Promise.resolve(() => payerHostRecords({ actor: operator, store })),
  inspectService: (store) => Promise.resolve(() => inspectService({ actor: operator, store })),
  unmatchedCount: reviewing((reviewer) => unmatchedCount(reviewer)),
  unmatchedPushes: reviewing((reviewer) => unmatchedPushes(reviewer)),
  openPushDoor: async (store) => {
    const door = await aDoor(store);
    return () => openPushDoor(store, door);
  },
};

/** Verbs that write, but only what needs no entry. */
export const slight: Readonly<Record<string, Preparation>> = {
  keepTrace: async (store) => {
    const { practiceId, seen } = await aHeldTask(store);
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    return () => keepTrace(store, { gateId: seen.gateId, practiceId, traceparent });
  },
  rememberDevice: async (store) => {
    const { id } = await signedIn(store);
    return () => rememberDevice(store, id, undefined);
  },
  discardRouteDraft: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => discardRouteDraft(admin, id);
  },
  beginRouteDraft: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => beginRouteDraft(admin, { ...id, payerId: "60054", connector: "manual" });
  },
  setDraftAccess: async (store) => {
    const { admin, id } = await aDraftedConnection(store);
    return () => setDraftAccess(admin, { ...id, url: "http://127.0.0.1:9/fhir" });
  },
  beginTotp: ofSelf((self) => beginTotp(self)),
  issueTicket: ofSelf(({ store, actor }) => issueTicket(store, { personId: actor.id, issuer: undefined })),
  keepDeskChoices: reviewing((reviewer) => keepDeskChoices(reviewer, { opensNext: false })),
  markPresence: ofCase(({ reviewer, taskId }) => markPresence(reviewer, { taskId, left: false })),
  indexNewCases: ofCase(({ reviewer }) => indexNewCases(reviewer.store)),
  rollUpReports: ofCase(({ reviewer }) => rollUpReports(reviewer.store)),
  receivePush: async (store) => {
    const { aPendedTask, secret } = aPayersDoor(store, () => "");
    const { routeId, call } = await aPendedTask();
    const door = await openPushDoor(store, { routeId, secret });
    if (!door) throw new Error("The door stays shut.");
    const reply = replyAs(call, "A1", "2026-12-02T10:00:00Z");
    const bodies = [notification(reply), notification({ resourceType: "Bundle", type: "collection", entry: [] })];
    return () => Promise.all(bodies.map((body) => receivePush(store, door, body)));
  },
};

/** What one of them alone may write without an entry, and why. */
export const alsoWritten: Readonly<Record<string, readonly string[]>> = {
  // What a payer said, as it came: acting on it, and each reading of it, leave their entries.
  receivePush: ["payer_event", "unmatched_push"],
};

/** A route whose payer may push. */
async function aDoor(store: Store) {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const { id: routeId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  const secret = randomBytes(32).toString("base64url");
  await claimSubscription(store, { routeId, practiceId }, secret);
  return { routeId, secret };
}
