import { generateKeyPairSync, randomUUID } from "node:crypto";
import { powersOf } from "#lib/access/model/grant";
import { everyKind } from "#lib/person/model/notification";
import { previewChannelAccess } from "#lib/channel/change-channel-access";
import type { Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import type { Possible } from "#lib/task/views";
import { shownNow, standings } from "#test/support/cases/standings";
import { aFailedDelivery } from "#test/support/agents/webhooks";
import type { WireTask } from "../fixtures/agent.ts";
import { admins, ours, reviewers, signedIn, type Scene } from "./callers.ts";
import { elsewhere, one, type Action, type Attempt } from "./attempt.ts";
import { form, seenOn } from "./form.ts";
import { peopleActions } from "./people-actions.ts";
import { practiceActions, secondAdmins } from "./practice-actions.ts";

const channel =
  (form: Attempt["form"] = {}, tab = "") =>
  ({ spare: { id } }: Scene) =>
    one(`/channels/${id}${tab}`, { channelId: id, ...form });

/** A decision on a case where it succeeds for those who may, in a practice that everybody reaches as they do the scene's. */
async function decisionWhereItSucceeds(scene: Scene, intent: Possible): Promise<Attempt> {
  const { store } = scene.operator;
  const { practiceId, taskId, typed, before } = await standings[intent](store);
  await copyReach(store, { from: scene.practice.id, to: practiceId });
  if (scene.doer === "nobody") throw new Error("Only somebody signed in may decide.");
  const actor = { kind: "person", id: scene.idOf[scene.doer], name: "Somebody" } as const;
  const doer = { ...actor, ...powersOf([{ role: "reviewer", practiceId }]) };
  await before?.({ actor: doer, store: storeForPerson(store, doer) });
  const shown = await shownNow(store, taskId);
  return {
    what: intent,
    path: `/tasks/${taskId}`,
    form: { intent, ...shown, key: randomUUID(), zone: "UTC", ...typed },
    does: "changes",
  };
}

async function copyReach({ pool }: Store, { from, to }: { from: string; to: string }): Promise<void> {
  const copied = `INSERT INTO person_role (person_id, role, practice_id)
    SELECT person_id, role, $2 FROM person_role WHERE practice_id = $1`;
  await pool.query(copied, [from, to]);
}

function item(task: WireTask, changedAt = "-"): string {
  const { taskId, key, gateId, revision, digest } = seenOn(task);
  return [taskId, "-", key, gateId, revision, digest, changedAt].join(" ");
}

const ownFactors = { where: "e2e/account/second-factor.spec.ts" } as const;

const publicKey = {
  ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }),
  ...{ kid: "a", alg: "EdDSA", use: "sig" },
};

/** Every server action of the build, by file and name, with who may do it and what it does when they do. */
export const actions: Readonly<Record<string, Action>> = {
  "app/account/notifications/actions.ts#saveNotifications": {
    for: signedIn,
    attempts: () => one("/account/notifications", everyKind("daily").kinds),
  },
  "app/account/actions.ts#setTimes": { for: signedIn, attempts: () => one("/account", { times: "own" }, "leads on") },
  "app/account/actions.ts#setKeys": { for: signedIn, attempts: () => one("/account", { single: "off" }) },
  "app/account/actions.ts#setNext": { for: signedIn, attempts: () => one("/account", { next: "on" }) },
  "app/account/security/actions.ts#beginApp": { for: signedIn, attempts: () => one("/account/security") },
  "app/account/security/actions.ts#turnOnApp": {
    for: signedIn,
    attempts: () => one("/account/security", { code: "123456" }, ownFactors),
  },
  "app/account/security/actions.ts#removeApp": {
    for: signedIn,
    attempts: () => one("/account/security", {}, ownFactors),
  },
  "app/account/security/actions.ts#startPasskey": {
    for: signedIn,
    attempts: () => one("/account/security", {}, ownFactors),
  },
  "app/account/security/actions.ts#renameOwnPasskey": {
    for: signedIn,
    attempts: () => one("/account/security", { id: "none", name: "Laptop" }, ownFactors),
  },
  "app/account/security/actions.ts#removeOwnPasskey": {
    for: signedIn,
    attempts: () => one("/account/security", { id: "none" }, ownFactors),
  },
  "app/account/security/actions.ts#proveNow": {
    for: signedIn,
    attempts: () => one("/account/security", { next: "/account" }, "leads on"),
  },
  "app/account/security/actions.ts#changeCodes": {
    for: signedIn,
    attempts: () => one("/account/security", {}, ownFactors),
  },
  "components/form/proof-actions.ts#askProof": {
    for: signedIn,
    attempts: () => [{ path: "/account/security", args: [], does: ownFactors }],
  },
  "components/form/proof-actions.ts#showProof": {
    for: signedIn,
    attempts: () => [{ path: "/account/security", args: [{ response: { id: "none" } }], does: ownFactors }],
  },
  "app/account/security/actions.ts#finishPasskey": {
    for: signedIn,
    attempts: () => [
      { path: "/account/security", args: [{ response: { id: "none" }, name: "Laptop" }], does: ownFactors },
    ],
  },
  "app/sign-in/actions.ts#askSignIn": {
    for: "all",
    attempts: () => [{ path: "/sign-in", args: [], does: ownFactors }],
  },
  "app/sign-in/actions.ts#signInByPasskey": {
    for: "all",
    attempts: () => [{ path: "/sign-in", args: [{ response: { id: "none" }, next: "/" }], does: ownFactors }],
  },
  "app/sign-in/actions.ts#showCode": {
    for: "all",
    attempts: () => [{ path: "/sign-in/second", args: [{ problems: {} }, form({ code: "123456" })], does: ownFactors }],
  },
  "app/account/actions.ts#endMySession": {
    for: signedIn,
    attempts: () => one("/account", { sessionId: randomUUID() }, "leads on"),
  },
  "app/account/actions.ts#endMyOthers": { for: signedIn, attempts: () => one("/account", {}, "leads on") },
  // Without a provider there is nothing to unlink.
  "app/account/actions.ts#unlinkProvider": {
    for: signedIn,
    attempts: () => one("/account", {}, { where: "e2e/account/sso.spec.ts" }),
  },
  "app/account/actions.ts#changePassword": {
    for: signedIn,
    attempts: () => [
      { path: "/account", form: { present: "wrong", password: "short" }, ...elsewhere("e2e/admin/people.spec.ts") },
    ],
  },
  "components/shell/actions.ts#setSingleKeys": {
    for: signedIn,
    attempts: () => [{ path: "/account", args: [true], does: "changes" }],
  },
  "components/shell/actions.ts#staySignedIn": {
    for: signedIn,
    attempts: () => [{ path: "/account", args: [], ...elsewhere("e2e/account/session.spec.ts") }],
  },
  "app/developers/calls/actions.ts#lookWithKey": {
    for: "all",
    attempts: () => [
      {
        path: "/developers/calls",
        args: [{ problems: {} }, form({ key: "pa_none" })],
        ...elsewhere("lib/channel/own-channel.store.test.ts"),
      },
    ],
  },
  "app/sign-in/actions.ts#signIn": {
    for: "all",
    attempts: () => [
      {
        path: "/sign-in",
        args: [{ problems: {} }, form({ email: "nobody@example.org", password: "wrong" })],
        ...elsewhere("e2e/account/session.spec.ts"),
      },
    ],
  },
  "components/shell/actions.ts#chooseTheme": {
    for: "all",
    attempts: () => [
      { path: "/account", args: [form({ theme: "dark" })], ...elsewhere("e2e/service/accessibility.spec.ts") },
    ],
  },
  "app/queue/actions.ts#findCases": {
    for: reviewers,
    attempts: () => [{ path: "/queue", args: [form({ text: "Quillfeather" })], does: "changes" }],
  },
  "app/queue/view-actions.ts#save": {
    for: ours,
    attempts: ({ practice: { id } }) => one("/queue", { name: "Urgent", query: "view=urgent", practiceId: id }),
  },
  // The scene has no saved view.
  "app/queue/view-actions.ts#rename": {
    for: ours,
    attempts: ({ held: { id } }) =>
      one("/queue", { id, name: "Urgent" }, { where: "lib/queue/saved-views.store.test.ts" }),
  },
  "app/queue/view-actions.ts#remove": {
    for: ours,
    attempts: ({ held: { id } }) => one("/queue", { id }, { where: "lib/queue/saved-views.store.test.ts" }),
  },
  "app/queue/bulk/actions.ts#assignSeveral": {
    for: ours,
    attempts: async ({ idOf }, next) => one("/queue/bulk", { item: item(await next()), to: idOf.reviewer }),
  },
  "app/queue/bulk/actions.ts#declineSeveral": {
    for: ours,
    attempts: async (_, next) =>
      one("/queue/bulk", { item: item(await next()), code: "other", reason: "A duplicate." }),
  },
  "app/queue/bulk/actions.ts#snoozeSeveral": {
    for: ours,
    attempts: async ({ operator: { store } }, next) => {
      const task = await next();
      const { changedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: task.id } });
      return one("/queue/bulk", { item: item(task, changedAt.toISOString()), choice: "4-hours", zone: "UTC" });
    },
  },
  "app/queue/bulk/actions.ts#releaseSeveral": {
    for: ours,
    attempts: async (_, next) => one("/queue/bulk", { item: item(await next()) }),
  },
  "app/tasks/[id]/decision/actions.ts#decide": {
    for: ours,
    attempts: (scene) =>
      Promise.all((Object.keys(standings) as Possible[]).map((intent) => decisionWhereItSucceeds(scene, intent))),
  },
  "components/undo/actions.ts#takeBack": {
    for: ours,
    attempts: async (scene) => {
      const attempt = await decisionWhereItSucceeds(scene, "recall");
      return [{ ...attempt, form: { ...attempt.form, what: "recall" } }];
    },
  },
  "components/undo/actions.ts#takeBackSeveral": {
    for: ours,
    attempts: async (scene) => {
      const { form, ...attempt } = await decisionWhereItSucceeds(scene, "recall");
      return [{ ...attempt, form: { item: `${String(form?.["taskId"])} ${String(form?.["gateId"])}` } }];
    },
  },
  "app/tasks/[id]/team/desk-actions.ts#assign": {
    for: ours,
    attempts: ({ held: { id }, idOf }) => one(`/tasks/${id}`, { taskId: id, to: idOf.reviewer }),
  },
  "app/tasks/[id]/team/desk-actions.ts#writeCaseNote": {
    for: ours,
    attempts: ({ held: { id } }) => one(`/tasks/${id}`, { taskId: id, noteId: randomUUID(), text: "Called them." }),
  },
  "app/tasks/[id]/team/desk-actions.ts#snooze": {
    for: ours,
    attempts: async ({ operator: { store } }, next) => {
      const { id: taskId } = await next();
      const { changedAt } = await store.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
      return one(`/tasks/${taskId}`, { taskId, choice: "4-hours", zone: "UTC", changedAt: changedAt.toISOString() });
    },
  },
  // No case of the scene is snoozed.
  "app/tasks/[id]/team/desk-actions.ts#wake": {
    for: ours,
    attempts: ({ held: { id } }) =>
      one(`/tasks/${id}`, { taskId: id }, { where: "lib/queue/snooze-case.store.test.ts" }),
  },
  // No case of the scene has authorized units.
  "app/tasks/[id]/team/desk-actions.ts#recordUse": {
    for: ours,
    attempts: ({ held: { id } }) =>
      one(
        `/tasks/${id}`,
        { taskId: id, determinationId: randomUUID(), "used-1": "3" },
        { where: "lib/queue/units-used.store.test.ts" },
      ),
  },
  // Nothing of it is in the scene.
  "app/notifications/actions.ts#markAsHandled": {
    for: ours,
    attempts: ({ held: { id } }) =>
      one("/notifications", { id }, { where: "lib/submission/payer-answers.store.test.ts" }),
  },
  "app/channels/actions.ts#createChannelWithKey": {
    for: admins,
    attempts: ({ practice: { id } }) =>
      one("/channels/new", {
        channelId: randomUUID(),
        name: "Another",
        practices: [id],
        atoms: ["tasks_get"],
        keyDays: "30",
      }),
  },
  "app/channels/[id]/actions.ts#rotate": {
    for: admins,
    attempts: (scene) => channel({ keyDays: "30", overlap: "24h", liveKeys: [scene.spare.keyId] }, "/keys")(scene),
  },
  "app/channels/[id]/actions.ts#revoke": {
    for: admins,
    attempts: (scene) => channel({ keyId: scene.spare.keyId }, "/keys")(scene),
  },
  // What it comes to is shown first, and only exactly that is saved.
  "app/channels/[id]/actions.ts#saveAccess": {
    for: admins,
    attempts: async ({ operator, spare, practice: { id } }) => {
      const access = { practices: [id], atoms: ["tasks_get"], callsPerSecond: "7", callsAtOnce: "" };
      const preview = await previewChannelAccess(operator, { channelId: spare.id, networks: [], ...access });
      if (!preview.ok) throw new Error("The access of the spare channel cannot be changed.");
      const form = { channelId: spare.id, networks: "", ...access, seen: preview.value.digest };
      return one(`/channels/${spare.id}/access`, form);
    },
  },
  "app/channels/[id]/actions.ts#rename": { for: admins, attempts: channel({ name: "Renamed" }) },
  "app/channels/[id]/actions.ts#setOwner": {
    for: admins,
    attempts: (scene) => channel({ owner: scene.practice.reviewer.email })(scene),
  },
  "app/channels/[id]/actions.ts#setWebhooks": {
    for: admins,
    attempts: channel({ hosts: "agents.example.org" }, "/webhooks"),
  },
  "app/channels/[id]/actions.ts#rotateWebhook": { for: admins, attempts: channel({}, "/webhooks") },
  "app/channels/[id]/actions.ts#resendWebhook": {
    for: admins,
    attempts: async (scene, next) => {
      const { id: taskId } = await next();
      const of = { taskId, practiceId: scene.practice.id, channelId: scene.spare.id };
      return channel({ deliveryId: await aFailedDelivery(scene.operator.store, of) }, "/webhooks")(scene);
    },
  },
  "app/channels/[id]/actions.ts#setClient": {
    for: admins,
    attempts: channel({ jwks: JSON.stringify({ keys: [publicKey] }), clientDays: "30" }, "/keys"),
  },
  "app/channels/[id]/actions.ts#suspend": { for: admins, attempts: channel() },
  "app/channels/[id]/actions.ts#resume": { for: admins, attempts: channel() },
  // A change of the scene's own waits in lib/change-request/second-admin.store.test.ts.
  "app/changes/actions.ts#confirm": {
    for: admins,
    attempts: () => one("/changes", { changeId: randomUUID() }, secondAdmins),
  },
  "app/changes/actions.ts#close": {
    for: admins,
    attempts: () => one("/changes", { changeId: randomUUID() }, secondAdmins),
  },
  "app/import/actions.ts#importFile": {
    for: admins,
    attempts: () =>
      one(
        "/import",
        { kind: "practices", text: "id,name\nmade,Made\n", digest: "0".repeat(64) },
        elsewhere("lib/practice/import/import-settings.store.test.ts").does,
      ),
  },
  ...peopleActions,
  ...practiceActions,
  // Last of all, for it ends the sessions of those who send it.
  "components/shell/actions.ts#signOut": {
    for: signedIn,
    attempts: () => [{ path: "/account", args: [], does: "changes" }],
  },
};
