import { createHash, generateKeyPairSync } from "node:crypto";
import { resolveAuditScope } from "#lib/audit/audit-scope";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { firstCommand } from "#lib/channel/first-command";
import { changeChannelAccess, previewChannelAccess } from "#lib/channel/change-channel-access";
import { changeGrants } from "#lib/person/change-grants";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { showChannelCalls } from "#lib/channel/channel-calls";
import { resendDelivery, showChannelWebhooks } from "#lib/channel/webhook/channel-deliveries";
import { aFailedDelivery } from "#test/support/agents/webhooks";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { endSessions } from "#lib/person/end-sessions";
import { exportReceipts } from "#lib/audit/export-receipts";
import { exportAuditLog } from "#lib/audit/export-audit-log";
import { applyImport, previewImport } from "#lib/practice/import/import-settings";
import { invitePerson } from "#lib/person/invite-person";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { listChannels, showChannel } from "#lib/channel/list-channels";
import { listPeople } from "#lib/person/list-people";
import { listPractices, listRoutes, showPractice } from "#lib/practice/list-practices";
import { listGroups, mapGroup, unmapGroup } from "#lib/person/map-group";
import { renameChannel } from "#lib/channel/rename-channel";
import { renewLink } from "#lib/person/renew-link";
import { renewSubscription } from "#lib/practice/renew-subscription";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { rotateWebhookSecret, setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { putProvider, removeProvider } from "#lib/practice/set-providers";
import { removePayer, setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setUnlistedPayers } from "#lib/practice/directory/set-unlisted-payers";
import { showDirectory, showPayer, showPayerVersions } from "#lib/practice/directory/show-directory";
import { setRetention } from "#lib/audit/set-retention";
import { setRoute } from "#lib/practice/set-route";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { turnOnAutoReview } from "#test/support/cases/sandbox";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { closeChange, confirmChange } from "#lib/change-request/decide-change";
import { listChanges } from "#lib/change-request/list-changes";
import { insertChangeRequest } from "#lib/access/shared/change-requests";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { showChannelVersions } from "#lib/channel/show-channel-versions";
import { showPerson } from "#lib/person/show-person";
import { showRoute, showVersions } from "#lib/practice/show-route";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { testRoute } from "#lib/practice/test-route";
import { tryCall } from "#lib/channel/try-call";
import { replacePepper } from "#lib/channel/replace-pepper";
import { listKeys, resealPractices, rotatePracticeKey, wrapKeys } from "#lib/practice/turn-keys";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import { withdrawInvitation } from "#lib/person/withdraw-invitation";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { openCallBook } from "#lib/a2a/admit/call-book";
import { inTransaction, type Store } from "#lib/db/db";
import { insertSealingKey } from "#lib/db/rotate-keys";
import { releaseGate } from "#lib/gate/release-gate";
import { createKeyRing } from "#lib/platform/key-ring";
import { ok } from "#lib/platform/result";
import { newId } from "#lib/db/new-id";
import { createSession } from "#lib/person/store/people";
import { claimSubscription } from "#lib/payer/inbox/shared/subscriptions";
import { sendMessage } from "#lib/task/send-message";
import { done, fresh, linkOf, operator } from "#test/support/people/admin";
import { aChannel, anIntake, aPerson, aPractice, aRoute, sealingKey, seenOn } from "#test/support/cases/cases";
import { adminsEverywhere, adminsHere, allAdmins, recordReaders, type Holder } from "./holders.ts";
import { practiceVerbs } from "./practice-verbs.ts";

/** A practice with everything an administrator may change. */
export type Ground = {
  readonly practiceId: string;
  readonly channelId: string;
  readonly personId: string;
  readonly email: string;
  readonly guestId: string;
  readonly issuer: string;
  /** Of a change that another administrator asks for. */
  readonly changeId: string;
};

export type AdminVerb = {
  /** Who may; everybody else is refused and changes nothing. */
  readonly for: readonly Holder[];
  /** What is done before, by the operator. */
  readonly before?: (admin: Context, ground: Ground) => Promise<unknown>;
  readonly act: (ctx: Context<PersonActor>, ground: Ground) => Promise<unknown>;
  /** It reads: whoever may is shown this text, which a list may leave out for everybody else. */
  readonly shows?: (ground: Ground) => string;
};

export async function aGround(store: Store): Promise<Ground> {
  const admin = { actor: operator, store };
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const channel = createChannel(admin, { name: "Agent", practices: [practiceId], atoms: ["tasks_get"] });
  const { actor } = await aPerson(store, { practices: [practiceId] });
  const roles = [{ role: "reviewer", practiceId }] as const;
  const guest = await linkOf(invitePerson(admin, { email: `${fresh("guest")}@clinic.example`, roles: [...roles] }));
  return {
    practiceId,
    channelId: (await done(channel)).id,
    personId: actor.id,
    email: `${actor.id}@example.org`,
    guestId: guest.id,
    issuer: `https://${fresh("idp")}.example`,
    changeId: newId(),
  };
}

const change = (act: AdminVerb["act"], before?: AdminVerb["before"]): AdminVerb => ({
  for: adminsHere,
  act,
  ...(before && { before }),
});
const overall = (act: AdminVerb["act"], before?: AdminVerb["before"]): AdminVerb => ({
  ...change(act, before),
  for: adminsEverywhere,
});
type Reads = {
  readonly shows: NonNullable<AdminVerb["shows"]>;
  readonly for?: readonly Holder[];
  readonly before?: NonNullable<AdminVerb["before"]>;
};
const reads = (act: AdminVerb["act"], verb: Reads): AdminVerb => ({ for: adminsHere, act, ...verb });

const ofPractice = ({ practiceId }: Ground) => practiceId;
const ofChannel = ({ channelId }: Ground) => channelId;
const ofPerson = ({ personId }: Ground) => personId;
const aGroup = ({ issuer, practiceId }: Ground) => ({ issuer, group: "nurses", role: "auditor", practiceId });
const importedId = fresh("imported");
const anImport = { kind: "practices", text: `id,name\n${importedId},Elm\n` } as const;
/** A delivery of each channel that has failed. */
const deliveries = new Map<string, string>();
const renamed: NonNullable<AdminVerb["before"]> = (admin, { practiceId }) =>
  done(changePracticeSettings(admin, { practiceId, name: "Renamed" }));

/** Another administrator asks that a person administer the practice too, which a second one confirms. */
const awaitingChange: NonNullable<AdminVerb["before"]> = async ({ store }, { practiceId, personId, changeId }) => {
  const { actor } = await aPerson(store, { practices: [practiceId], roles: ["admin"], name: "Noor Haddad" });
  const change = { kind: "admin-roles", personId, roles: [{ role: "admin", practiceId }] } as const;
  await inTransaction(store, (tx) =>
    insertChangeRequest(tx, { id: changeId, change, scope: [practiceId], requestedBy: actor.id }),
  );
};

const listed: NonNullable<AdminVerb["before"]> = (admin, { practiceId }) =>
  done(setPayer(admin, { practiceId, payerId: "60054", name: "Elm Mutual" }));
const aRule = { name: "Imaging", serviceTypes: ["4"], codes: [], linesOfBusiness: [], connection: "87042" };

/** The earlier of the two sealing keys of the stores these verbs are tried over. */
export const earlierKey = createHash("sha256").update("tests only, earlier").digest();

/** Every verb of an administrator, by its name. */
export const adminVerbs: Readonly<Record<string, AdminVerb>> = {
  changePracticeSettings: change((ctx, { practiceId }) =>
    changePracticeSettings(ctx, {
      practiceId,
      recallWindowS: 30,
      gateExpiryDays: 7,
      environment: "test",
      timeZone: "America/Denver",
    }),
  ),
  suspendPractice: change((ctx, { practiceId }) => suspendPractice(ctx, { practiceId })),
  resumePractice: change(
    (ctx, { practiceId }) => resumePractice(ctx, { practiceId }),
    (admin, { practiceId }) => suspendPractice(admin, { practiceId }),
  ),
  setNotedWarnings: change((ctx, { practiceId }) => setNotedWarnings(ctx, { practiceId, noted: [] })),
  setVoteRules: change((ctx, { practiceId }) =>
    setVoteRules(ctx, { practiceId, rules: [{ action: "void", risk: "high", votes: 1, stepUp: true }] }),
  ),
  setSecondAdmin: change(
    (ctx, { practiceId }) => setSecondAdmin(ctx, { practiceId, on: true }),
    async ({ store }, { practiceId }) => {
      for (const name of ["One", "Other"]) await aPerson(store, { practices: [practiceId], roles: ["admin"], name });
    },
  ),
  confirmChange: change((ctx, { changeId }) => confirmChange(ctx, { id: changeId }), awaitingChange),
  closeChange: change((ctx, { changeId }) => closeChange(ctx, { id: changeId }), awaitingChange),
  listChanges: reads((ctx) => listChanges(ctx), { shows: ({ changeId }) => changeId, before: awaitingChange }),
  setAutoReview: change(turnOnAutoReview),
  setSecondFactor: change((ctx, { practiceId }) => setSecondFactor(ctx, { practiceId, required: true })),
  // Turned on only by who came through a provider, which takes more than a role; turned off by each of these.
  setSsoOnly: change(
    (ctx, { practiceId }) => setSsoOnly(ctx, { practiceId, on: false }),
    (admin, { practiceId }) => setSsoOnly(admin, { practiceId, on: true, hasProvider: true }),
  ),
  setRetention: change((ctx, { practiceId }) => setRetention(ctx, { practiceId, days: 4000 })),
  putProvider: change((ctx, { practiceId }) =>
    putProvider(ctx, { practiceId, npi: "1234567893", name: "Dr. Elm", roles: ["rendering"] }),
  ),
  removeProvider: change(
    (ctx, { practiceId }) => removeProvider(ctx, { practiceId, npi: "1234567893" }),
    (admin, { practiceId }) =>
      putProvider(admin, { practiceId, npi: "1234567893", name: "Dr. Elm", roles: ["rendering"] }),
  ),
  setPayer: change((ctx, { practiceId }) => setPayer(ctx, { practiceId, payerId: "60054", name: "Elm Mutual" })),
  removePayer: change((ctx, { practiceId }) => removePayer(ctx, { practiceId, payerId: "60054" }), listed),
  setPayerRules: change(
    (ctx, { practiceId }) => setPayerRules(ctx, { practiceId, payerId: "60054", rules: [aRule] }),
    listed,
  ),
  setUnlistedPayers: change((ctx, { practiceId }) => setUnlistedPayers(ctx, { practiceId, unlistedPayers: "manual" })),
  setRoute: change((ctx, { practiceId }) => setRoute(ctx, { practiceId, payerId: "60054", connector: "manual" })),
  ...practiceVerbs,
  setLineOfBusiness: change((ctx, { practiceId }) =>
    setLineOfBusiness(ctx, { practiceId, payerId: "87042", lineOfBusiness: "medicare-advantage" }),
  ),
  testRoute: change((ctx, { practiceId }) => testRoute(ctx, { practiceId, payerId: "87042" })),
  renewSubscription: change(
    (ctx, { practiceId }) => renewSubscription(ctx, { practiceId, payerId: "87042" }),
    async ({ store }, { practiceId }) => {
      const { id: routeId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
      await claimSubscription(store, { routeId, practiceId }, fresh("secret"));
    },
  ),
  rotatePracticeKey: change((ctx, { practiceId }) => rotatePracticeKey(ctx, { practiceId })),
  resealPractices: change(
    (ctx, { practiceId }) => resealPractices(ctx, { practiceId }),
    async (admin, { practiceId }) => {
      const channel = await aChannel(admin.store, { practices: [practiceId] });
      await done(sendMessage(channel, anIntake({ practiceId })));
      await done(rotatePracticeKey(admin, { practiceId, inSeconds: -60 }));
    },
  ),

  createChannel: change((ctx, { practiceId }) =>
    createChannel(ctx, { name: "Another", practices: [practiceId], atoms: ["tasks_get"] }),
  ),
  changeChannelAccess: change((ctx, { channelId, practiceId }) =>
    changeChannelAccess(ctx, { channelId, practices: [practiceId], atoms: ["tasks_get", "tasks_cancel"] }),
  ),
  renameChannel: change((ctx, { channelId }) => renameChannel(ctx, { channelId, name: fresh("Other") })),
  setChannelWebhooks: change((ctx, { channelId }) =>
    setChannelWebhooks(ctx, { channelId, hosts: ["agents.example.org"] }),
  ),
  rotateWebhookSecret: change(
    (ctx, { channelId }) => rotateWebhookSecret(ctx, { channelId }),
    (admin, { channelId }) => setChannelWebhooks(admin, { channelId, hosts: ["agents.example.org"] }),
  ),
  setChannelOwner: change(
    (ctx, { channelId, email }) => setChannelOwner(ctx, { channelId, email }),
    (admin, { practiceId }) => aPerson(admin.store, { practices: [practiceId] }),
  ),
  setChannelClient: change((ctx, { channelId }) => setChannelClient(ctx, { channelId, jwks: aKeySet() })),
  rotateKey: change((ctx, { channelId }) => rotateKey(ctx, { channelId })),
  revokeKey: change((ctx, { channelId }) => revokeKey(ctx, { channelId })),
  suspendChannel: change((ctx, { channelId }) => suspendChannel(ctx, { channelId })),
  resumeChannel: change(
    (ctx, { channelId }) => resumeChannel(ctx, { channelId }),
    (admin, { channelId }) => suspendChannel(admin, { channelId }),
  ),

  invitePerson: change((ctx, { practiceId }) =>
    invitePerson(ctx, { email: `${fresh("guest")}@clinic.example`, roles: [{ role: "reviewer", practiceId }] }),
  ),
  createPerson: change((ctx, { practiceId }) =>
    createPerson(ctx, {
      email: `${fresh("made")}@clinic.example`,
      roles: ["reviewer"],
      practices: [practiceId],
      password: "wander tulip 9 kettle",
    }),
  ),
  changeGrants: change((ctx, { personId: id, practiceId }) =>
    changeGrants(ctx, { id, add: [{ role: "auditor", practiceId }] }),
  ),
  renewLink: change((ctx, { personId: id }) => renewLink(ctx, { id })),
  withdrawInvitation: change((ctx, { guestId: id }) => withdrawInvitation(ctx, { id })),
  endSessions: change(
    (ctx, { personId }) => endSessions(ctx, { personId }),
    ({ store }, { personId }) => createSession(store, { personId, address: "192.0.2.7" }),
  ),
  disablePerson: change((ctx, { personId: id }) => disablePerson(ctx, { id })),
  enablePerson: change(
    (ctx, { personId: id }) => enablePerson(ctx, { id }),
    (admin, { personId: id }) => disablePerson(admin, { id }),
  ),
  resetSecondFactor: change(
    (ctx, { personId: id }) => resetSecondFactor(ctx, { id }),
    async ({ store }, { personId }) => {
      const passkey = { id: newId(), personId, name: "Phone", publicKey: new Uint8Array(1), counter: 0 };
      await store.prisma.passkey.create({ data: { ...passkey, transports: [] } });
    },
  ),
  linkPerson: change((ctx, { personId: id, issuer }) => linkPerson(ctx, { id, issuer, subject: fresh("subject") })),
  unlinkPerson: change(
    (ctx, { personId: id, issuer }) => unlinkPerson(ctx, { id, issuer }),
    (admin, { personId: id, issuer }) => linkPerson(admin, { id, issuer, subject: fresh("subject") }),
  ),
  mapGroup: change((ctx, ground) => mapGroup(ctx, aGroup(ground))),
  unmapGroup: change(
    (ctx, ground) => unmapGroup(ctx, aGroup(ground)),
    (admin, ground) => mapGroup(admin, aGroup(ground)),
  ),

  createPractice: overall((ctx) => createPractice(ctx, { id: fresh("made"), name: "Made", environment: "test" })),
  applyImport: overall(async (ctx) => {
    const preview = await previewImport(ctx, anImport);
    return applyImport(ctx, { ...anImport, digest: preview.ok ? preview.value.digest : "" });
  }),
  wrapKeys: overall(
    (ctx) => wrapKeys(ctx),
    ({ store }, { practiceId }) =>
      inTransaction(store, (tx) =>
        insertSealingKey({ tx, ring: createKeyRing([earlierKey, sealingKey]) }, { practiceId, inSeconds: 3_600 }),
      ),
  ),
  replacePepper: overall(
    (ctx) => replacePepper(ctx),
    ({ store }) => store.prisma.secretFingerprint.deleteMany(),
  ),
  listKeys: reads((ctx) => listKeys(ctx), { shows: ofPractice, for: adminsEverywhere }),
  verifyAuditLog: reads((ctx) => verifyAuditLog(ctx, {}), {
    shows: ofPractice,
    for: adminsEverywhere,
    before: renamed,
  }),

  listPractices: reads((ctx) => listPractices(ctx), { shows: ofPractice }),
  showPractice: reads((ctx, { practiceId }) => showPractice(ctx, { practiceId }), { shows: ofPractice }),
  showDirectory: reads((ctx, { practiceId }) => showDirectory(ctx, { practiceId }), {
    shows: () => "Elm Mutual",
    before: listed,
  }),
  showPayer: reads((ctx, { practiceId }) => showPayer(ctx, { practiceId, payerId: "60054" }), {
    shows: () => "Elm Mutual",
    before: listed,
  }),
  // And so is what a payer was called.
  showPayerVersions: reads((ctx, { practiceId }) => showPayerVersions(ctx, { practiceId, payerId: "60054" }), {
    shows: () => "Elm Mutual",
    before: async (admin, ground) => {
      await listed(admin, ground);
      await done(setPayer(admin, { practiceId: ground.practiceId, payerId: "60054", name: "Oak Mutual" }));
    },
  }),
  listRoutes: reads((ctx, { practiceId }) => listRoutes(ctx, { practiceId }), { shows: ofPractice }),
  showRoute: reads((ctx, { practiceId }) => showRoute(ctx, { practiceId, payerId: "87042" }), {
    shows: () => "87042",
  }),
  // What it was called before is in its versions alone.
  showVersions: reads((ctx, { practiceId }) => showVersions(ctx, { practiceId }), {
    shows: ({ practiceId }) => `Before ${practiceId}`,
    before: async (admin, { practiceId }) => {
      await done(changePracticeSettings(admin, { practiceId, name: `Before ${practiceId}` }));
      await done(changePracticeSettings(admin, { practiceId, name: "After" }));
    },
  }),
  listChannels: reads((ctx) => listChannels(ctx), { shows: ofChannel }),
  showChannel: reads((ctx, { channelId }) => showChannel(ctx, { channelId }), { shows: ofChannel }),
  showChannelWebhooks: reads((ctx, { channelId }) => showChannelWebhooks(ctx, { channelId }), {
    shows: () => "agents.example.org",
    before: (admin, { channelId }) => setChannelWebhooks(admin, { channelId, hosts: ["agents.example.org"] }),
  }),
  resendDelivery: change(
    (ctx, { channelId }) => resendDelivery(ctx, { channelId, deliveryId: deliveries.get(channelId) ?? "none" }),
    async ({ store }, { channelId, practiceId }) => {
      const actor = { kind: "channel", id: channelId, practices: [practiceId], atoms: ["prior_auth_intake"] } as const;
      const { id: taskId } = await done(sendMessage({ actor, store }, anIntake({ practiceId })));
      deliveries.set(channelId, await aFailedDelivery(store, { taskId, practiceId, channelId }));
    },
  ),
  showChannelCalls: reads((ctx, { channelId }) => showChannelCalls(ctx, { channelId }), {
    shows: () => '"calls":1',
    before: async ({ store }, { channelId }) => {
      const book = openCallBook(store, (error) => {
        throw error;
      });
      book.countCall({ at: new Date(), channelId, keyId: undefined });
      await book.write();
    },
  }),
  showChannelVersions: reads((ctx, { channelId }) => showChannelVersions(ctx, { channelId }), { shows: ofPractice }),
  tryCall: reads((ctx, { channelId, practiceId }) => tryCall(ctx, { channelId, atom: "tasks_cancel", practiceId }), {
    shows: () => '"deniedBy":"atom"',
  }),
  listPeople: reads((ctx) => listPeople(ctx), { shows: ofPerson }),
  showPerson: reads((ctx, { personId: id }) => showPerson(ctx, { id }), { shows: ofPerson }),
  listGroups: reads((ctx) => listGroups(ctx), {
    shows: ({ issuer }) => issuer,
    before: (admin, ground) => mapGroup(admin, aGroup(ground)),
  }),
  exportReceipts: reads((ctx, { practiceId }) => exportReceipts(ctx, { practiceId, after: 0 }), {
    shows: ofPractice,
    before: async ({ store }, { practiceId }) => {
      const channel = await aChannel(store, { practices: [practiceId] });
      const reviewer = await aPerson(store, { practices: [practiceId] });
      const task = await done(sendMessage(channel, anIntake({ practiceId })));
      await done(releaseGate(reviewer, { taskId: task.id, seen: seenOn(task) }));
    },
  }),
  firstCommand: reads(
    (ctx, { channelId }) => firstCommand(ctx, { channelId, key: "pa_1", baseUrl: "https://pa.example" }),
    {
      shows: () => "/api/a2a",
    },
  ),
  previewChannelAccess: reads(
    (ctx, { channelId }) => previewChannelAccess(ctx, { channelId, atoms: ["tasks_cancel"] }),
    {
      shows: () => '"added":["tasks_cancel"]',
    },
  ),
  previewImport: reads((ctx) => previewImport(ctx, anImport), { shows: () => importedId, for: allAdmins }),
  resolveAuditScope: reads((ctx, { practiceId }) => resolveAuditScope(ctx, practiceId), {
    shows: ofPractice,
    for: recordReaders,
  }),
  browseAuditLog: reads((ctx, { practiceId }) => browseAuditLog(ctx, { practiceId }), {
    shows: ofPractice,
    for: recordReaders,
  }),
  exportAuditLog: reads(
    async (ctx, { practiceId }) => {
      const exported = await exportAuditLog(ctx, { practiceId });
      if (!exported.ok) return exported;
      const lines: string[] = [];
      for await (const line of exported.value) lines.push(line);
      return ok(lines);
    },
    { shows: () => "practice.renamed", for: recordReaders, before: renamed },
  ),
};

/** Verbs of that folder that ask no administrator's power, and why. */
export const notOfAdmins: Readonly<Record<string, string>> = {
  administer: "runs the verbs above, and asks for them",
  administerProved: "runs the verbs above, and asks for them",
  administerChannel: "runs the verbs above, and asks for them",
  findAdministeredChannel: "asks for those of a channel",
  findAdministeredPerson: "asks for those of a person",
  deny: "puts a refusal on record",
  firstRun: "answers whoever administers every practice on a new installation, and nobody else: beside it is its test",
  bootstrapAdmin: "takes the operator by its type: it is called by nobody else",
  inspectRecord: "takes the operator by its type: it is called by nobody else",
  recoverRecord: "takes the operator by its type: it is called by nobody else",
  authenticateChannel: "reads a credential, of whoever brings it",
  readWebhook: "reads what an agent's message names: lib/channel/webhook/webhooks.store.test.ts",
  readPayerDirectories: "a channel's own: lib/a2a/card/payer-directory.store.test.ts",
  admitKey: "reads a credential, of whoever brings it",
  showChannelOfKey: "of whoever brings its key: lib/channel/own-channel.store.test.ts",
  listOwnChannels: "one's own alone: no verb takes whose",
  showOwnedChannel: "the owner's alone: lib/channel/own-channel.store.test.ts",
  openLink: "by whoever has the link: lib/person/invitations.store.test.ts",
  acceptLink: "by whoever has the link: lib/person/invitations.store.test.ts",
  joinBySso: "by whoever has the link: lib/person/join-by-sso.store.test.ts",
  changeOwnPassword: "one's own alone: no verb takes whose",
  keepDeskChoices: "one's own alone: no verb takes whose",
  listOwnSessions: "one's own alone: no verb takes whose",
  endOwnSessions: "one's own alone: no verb takes whose",
  sweepSignIns: "the worker's: no person can call it, and it deletes what has expired",
};

function aKeySet(): string {
  const key = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return JSON.stringify({ keys: [{ ...key, kid: fresh("key") }] });
}
