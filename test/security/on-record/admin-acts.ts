import { generateKeyPairSync, randomBytes } from "node:crypto";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { createChannel } from "#lib/channel/create-channel";
import { createPractice } from "#lib/practice/create-practice";
import { renameChannel } from "#lib/channel/rename-channel";
import { renewSubscription } from "#lib/practice/renew-subscription";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { resendDelivery } from "#lib/channel/webhook/channel-deliveries";
import { rotateWebhookSecret, setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { aFailedDelivery } from "#test/support/agents/webhooks";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { putProvider } from "#lib/practice/set-providers";
import { removePayer, setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setUnlistedPayers } from "#lib/practice/directory/set-unlisted-payers";
import { setRetention } from "#lib/audit/set-retention";
import { setRoute } from "#lib/practice/set-route";
import { anEmergency } from "#test/support/cases/emergency";
import { openEmergencyAccess } from "#lib/task/emergency-access";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { turnOnAutoReview } from "#test/support/cases/sandbox";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { changeGrants } from "#lib/person/change-grants";
import { closeChange, confirmChange } from "#lib/change-request/decide-change";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { testRoute } from "#lib/practice/test-route";
import { replacePepper } from "#lib/channel/replace-pepper";
import { resealPractices, rotatePracticeKey, wrapKeys } from "#lib/practice/turn-keys";
import { useAssertion } from "#lib/channel/store/channel-clients";
import type { AdminAct } from "#lib/audit/model/entry";
import type { Store } from "#lib/db/db";
import { unwrapKey, wrapKey } from "#lib/platform/key-ring";
import { keepSubscribed, claimSubscription } from "#lib/payer/inbox/shared/subscriptions";
import { done, fresh, operator, proved } from "#test/support/people/admin";
import { aHeldTask, aPerson, aPractice, aRoute } from "#test/support/cases/cases";
import type { Preparation } from "./given.ts";

type ActsOf<Prefix extends string> = Extract<AdminAct, `${Prefix}.${string}`>;

const admin = (store: Store) => ({ actor: operator, store });

/** An act of an administrator on a practice of its own. */
const onPractice =
  (act: (ctx: ReturnType<typeof admin>, practiceId: string) => Promise<unknown>): Preparation =>
  async (store) => {
    const practiceId = await aPractice(store);
    await aRoute(store, { practiceId });
    return () => act(admin(store), practiceId);
  };

/** The same on a channel of its own. */
const onChannel =
  (act: (ctx: ReturnType<typeof admin>, channelId: string, practiceId: string) => Promise<unknown>): Preparation =>
  async (store) => {
    const practiceId = await aPractice(store);
    const made = createChannel(admin(store), { name: "Agent", practices: [practiceId], atoms: ["tasks_get"] });
    const { id } = await done(made);
    return () => act(admin(store), id, practiceId);
  };

/** The same with a payer in the practice's directory. */
const onListedPayer = (
  act: (ctx: ReturnType<typeof admin>, payer: { practiceId: string; payerId: string }) => Promise<unknown>,
) =>
  onPractice(async (ctx, practiceId) => {
    await done(setPayer(ctx, { practiceId, payerId: "60054", name: "Elm Mutual" }));
    return act(ctx, { practiceId, payerId: "60054" });
  });

export const practiceActs: Readonly<
  Record<ActsOf<"practice" | "route" | "payer" | "keys" | "audit" | "change" | "case">, Preparation>
> = {
  "practice.created": (store) =>
    Promise.resolve(() => createPractice(admin(store), { id: fresh("practice"), name: "Elm", environment: "test" })),
  "practice.renamed": onPractice((ctx, practiceId) => changePracticeSettings(ctx, { practiceId, name: "Oak" })),
  "practice.suspended": onPractice((ctx, practiceId) => suspendPractice(ctx, { practiceId })),
  "practice.resumed": async (store) => {
    const practiceId = await aPractice(store);
    await suspendPractice(admin(store), { practiceId });
    return () => resumePractice(admin(store), { practiceId });
  },
  "practice.settings-changed": onPractice((ctx, practiceId) =>
    changePracticeSettings(ctx, {
      practiceId,
      recallWindowS: 30,
      gateExpiryDays: 7,
      environment: "test",
      timeZone: "America/Denver",
    }),
  ),
  "practice.noted-warnings-set": onPractice((ctx, practiceId) => setNotedWarnings(ctx, { practiceId, noted: [] })),
  "practice.vote-rule-set": onPractice((ctx, practiceId) =>
    setVoteRules(ctx, { practiceId, rules: [{ action: "void", risk: "high", votes: 1, stepUp: true }] }),
  ),
  "practice.targets-set": onPractice((ctx, practiceId) =>
    changePracticeSettings(ctx, { practiceId, urgentTargetH: 2, standardTargetH: 20 }),
  ),
  "practice.second-admin-set": async (store) => {
    const practiceId = await aPractice(store);
    for (const name of ["One", "Other"]) await aPerson(store, { practices: [practiceId], roles: ["admin"], name });
    return () => setSecondAdmin(admin(store), { practiceId, on: true });
  },
  "practice.emergency-access-set": onPractice((ctx, practiceId) => setEmergencyAccess(ctx, { practiceId, on: true })),
  "case.emergency-opened": async (store) => {
    const { admin: opening, given } = await anEmergency(store);
    return () => openEmergencyAccess(opening, given);
  },
  "change.requested": async (store) => {
    const { asking, practiceId, personId } = await aGuardedPractice(store);
    return () => changeGrants(asking, { id: personId, add: [{ role: "admin", practiceId }] });
  },
  "change.confirmed": async (store) => {
    const { other, id } = await aWaitingChange(store);
    return () => confirmChange(other, { id });
  },
  "change.rejected": async (store) => {
    const { other, id } = await aWaitingChange(store);
    return () => closeChange(other, { id });
  },
  "change.withdrawn": async (store) => {
    const { asking, id } = await aWaitingChange(store);
    return () => closeChange(asking, { id });
  },
  "practice.auto-review-set": onPractice((ctx, practiceId) => turnOnAutoReview(ctx, { practiceId })),
  "practice.second-factor-set": onPractice((ctx, practiceId) => setSecondFactor(ctx, { practiceId, required: true })),
  "practice.sso-only-set": onPractice((ctx, practiceId) =>
    setSsoOnly(ctx, { practiceId, on: true, hasProvider: true }),
  ),
  "practice.providers-set": onPractice((ctx, practiceId) =>
    putProvider(ctx, { practiceId, npi: "1234567893", name: "Dr. Elm", roles: ["rendering"] }),
  ),
  "practice.key-rotated": onPractice((ctx, practiceId) => rotatePracticeKey(ctx, { practiceId })),
  "keys.wrapped": async (store) => {
    const practiceId = await aPractice(store);
    const { ring } = store.keys;
    const [first, second] = [ring[0], ring[1]];
    if (!second) throw new Error("The ring has two keys.");
    for (const key of await store.prisma.practiceKey.findMany({ where: { practiceId } })) {
      const place = { practiceId, use: key.use === "seal" ? "seal" : "find", version: key.version } as const;
      const wrapped = new Uint8Array(wrapKey(second, unwrapKey(first, key.wrapped, place), place));
      const where = { practiceId_use_version: { practiceId, use: key.use, version: key.version } };
      await store.prisma.practiceKey.update({ where, data: { wrapped, wrappedBy: second.id } });
    }
    return () => wrapKeys(admin(store));
  },
  "keys.pepper-replaced": async (store) => {
    await store.prisma.secretFingerprint.deleteMany();
    return () => replacePepper(admin(store));
  },
  "keys.resealing": onPractice((ctx, practiceId) => resealPractices(ctx, { practiceId })),
  "keys.resealed": onPractice((ctx, practiceId) => resealPractices(ctx, { practiceId })),
  "audit.retention-set": onPractice((ctx, practiceId) => setRetention(ctx, { practiceId, days: 4000 })),
  "route.set": onPractice((ctx, practiceId) => setRoute(ctx, { practiceId, payerId: "60054", connector: "manual" })),
  "route.tested": onPractice((ctx, practiceId) => testRoute(ctx, { practiceId, payerId: "87042" })),
  "route.line-of-business-set": onPractice((ctx, practiceId) =>
    setLineOfBusiness(ctx, { practiceId, payerId: "87042", lineOfBusiness: "medicare-advantage" }),
  ),
  "practice.unlisted-payers-set": onPractice((ctx, practiceId) =>
    setUnlistedPayers(ctx, { practiceId, unlistedPayers: "manual" }),
  ),
  "payer.set": onPractice((ctx, practiceId) => setPayer(ctx, { practiceId, payerId: "60054", name: "Elm Mutual" })),
  "payer.removed": onListedPayer(removePayer),
  "payer.rules-set": onListedPayer((ctx, payer) => setPayerRules(ctx, { ...payer, rules: [aRule] })),
  "route.subscribed": async (store) => {
    const route = await aSubscribedRoute(store);
    return () => keepSubscribed(store, { ...route, payerId: "87042", version: 1, remoteId: "sub-1" });
  },
  "route.subscription-ended": async (store) => {
    const { practiceId } = await aSubscribedRoute(store);
    return () => renewSubscription(admin(store), { practiceId, payerId: "87042" });
  },
};

const aRule = { name: "Imaging", serviceTypes: ["4"], codes: [], linesOfBusiness: [], connection: "87042" };

/** A practice whose two administrators confirm each other's changes, and somebody who is to be a third. */
async function aGuardedPractice(store: Store) {
  const practiceId = await aPractice(store);
  const anAdmin = async () => {
    const ctx = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
    return { ...ctx, actor: proved(ctx.actor) };
  };
  const [asking, other] = [await anAdmin(), await anAdmin()];
  const { actor } = await aPerson(store, { practices: [practiceId] });
  await done(setSecondAdmin(admin(store), { practiceId, on: true }));
  return { practiceId, asking, other, personId: actor.id };
}

async function aWaitingChange(store: Store) {
  const { practiceId, asking, other, personId } = await aGuardedPractice(store);
  const { awaiting } = await done(changeGrants(asking, { id: personId, add: [{ role: "admin", practiceId }] }));
  if (awaiting === undefined) throw new Error("The change waits.");
  return { asking, other, id: awaiting };
}

async function aSubscribedRoute(store: Store) {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const { id: routeId } = await store.prisma.route.findFirstOrThrow({ where: { practiceId } });
  await claimSubscription(store, { routeId, practiceId }, randomBytes(32).toString("base64url"));
  return { practiceId, routeId };
}

export const channelActs: Readonly<Record<ActsOf<"channel">, Preparation>> = {
  "channel.created": async (store) => {
    const practices = [await aPractice(store)];
    return () => createChannel(admin(store), { name: "Agent", practices, atoms: ["tasks_get"] });
  },
  "channel.changed": onChannel((ctx, channelId, practiceId) =>
    Promise.all([
      changeChannelAccess(ctx, { channelId, practices: [practiceId], atoms: ["tasks_get", "tasks_cancel"] }),
      renameChannel(ctx, { channelId, name: "Other" }),
      changeChannelAccess(ctx, { channelId, callsPerSecond: 5, callsAtOnce: 2 }),
      changeChannelAccess(ctx, { channelId, networks: ["10.0.0.0/8"] }),
      setChannelWebhooks(ctx, { channelId, hosts: ["agents.example.org"] }),
    ]),
  ),
  "channel.suspended": onChannel((ctx, channelId) => suspendChannel(ctx, { channelId })),
  "channel.resumed": async (store) => {
    const { id: channelId } = await done(
      createChannel(admin(store), { name: "Agent", practices: [await aPractice(store)], atoms: ["tasks_get"] }),
    );
    await suspendChannel(admin(store), { channelId });
    return () => resumeChannel(admin(store), { channelId });
  },
  "channel.key-created": onChannel(async (ctx, channelId) => {
    await rotateKey(ctx, { channelId });
    await setChannelClient(ctx, { channelId, jwks: aKeySet() });
  }),
  "channel.webhook-secret-created": async (store) => {
    const { id: channelId } = await done(
      createChannel(admin(store), { name: "Agent", practices: [await aPractice(store)], atoms: ["tasks_get"] }),
    );
    await done(setChannelWebhooks(admin(store), { channelId, hosts: ["agents.example.org"] }));
    return () => rotateWebhookSecret(admin(store), { channelId });
  },
  "channel.webhook-resent": async (store) => {
    const { taskId, practiceId, channel } = await aHeldTask(store);
    const channelId = channel.actor.id;
    const deliveryId = await aFailedDelivery(store, { taskId, practiceId, channelId });
    return () => resendDelivery(admin(store), { channelId, deliveryId });
  },
  "channel.key-revoked": onChannel((ctx, channelId) => revokeKey(ctx, { channelId })),
  "channel.token-issued": async (store) => {
    const { id: channelId } = await done(
      createChannel(admin(store), { name: "Agent", practices: [await aPractice(store)], atoms: ["tasks_get"] }),
    );
    const { clientId: id } = await done(setChannelClient(admin(store), { channelId, jwks: aKeySet() }));
    const assertion = { client: { id, channelId }, kid: "one", jtiHash: randomBytes(32), expiresAt: new Date() };
    return () => useAssertion(store, assertion);
  },
};

function aKeySet(): string {
  const key = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return JSON.stringify({ keys: [{ ...key, kid: "one" }] });
}
