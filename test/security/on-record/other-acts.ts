import { changeOwnPassword } from "#lib/person/choose-password";
import { createChannel } from "#lib/channel/create-channel";
import { applyImport, previewImport } from "#lib/practice/import/import-settings";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { hashPassword } from "#lib/person/sign-in/password";
import { newId } from "#lib/db/new-id";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { done, fresh, operator } from "#test/support/people/admin";
import { aChannel, aHeldTask, anIntake, aPerson, aPractice } from "#test/support/cases/cases";
import { aPdf, aReceivedFile } from "#test/support/agents/files";
import type { Preparation } from "./given.ts";

/** Changes beside those that have a name of their own: other tables, or another way to the same act. */
export const otherActs: Readonly<Record<string, Preparation>> = {
  "a case with a file": async (store) => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const files = [aReceivedFile(aPdf("Okafor"), "application/pdf")];
    return () =>
      sendMessage(channel, anIntake({ practiceId, files, messageId: fresh("message"), note: "See the file." }));
  },
  "a case with a webhook": async (store) => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const hosts = ["agents.example.org"];
    await done(setChannelWebhooks({ actor: operator, store }, { channelId: channel.actor.id, hosts }));
    const pushConfig = { url: "https://agents.example.org/hook" };
    return () => sendMessage(channel, { ...anIntake({ practiceId }), pushConfig });
  },
  "a release that is sent twice": async (store) => {
    const { reviewer, taskId, seen } = await aHeldTask(store);
    const key = newId();
    return async () => [
      await releaseGate(reviewer, { taskId, seen, key }),
      await releaseGate(reviewer, { taskId, seen, key }),
    ];
  },
  "a channel's owner": async (store) => {
    const ctx = { actor: operator, store };
    const practiceId = await aPractice(store);
    const { actor } = await aPerson(store, { practices: [practiceId] });
    await aPerson(store, { practices: [practiceId] });
    const made = createChannel(ctx, { name: "Agent", practices: [practiceId], atoms: ["tasks_get"] });
    const { id: channelId } = await done(made);
    return () => setChannelOwner(ctx, { channelId, email: `${actor.id}@example.org` });
  },
  "an import": async (store) => {
    const ctx = { actor: operator, store };
    const requested = { kind: "practices", text: `id,name\n${fresh("imported")},Elm\n` } as const;
    const { digest } = await done(previewImport(ctx, requested));
    return () => applyImport(ctx, { ...requested, digest });
  },
  "somebody's own password": async (store) => {
    const { actor } = await aPerson(store, { practices: [await aPractice(store)] });
    const present = "wander tulip 9 kettle";
    await store.prisma.person.update({ where: { id: actor.id }, data: { passwordHash: await hashPassword(present) } });
    const requested = { sessionId: newId(), present, password: "another kettle 4 tulips" };
    return () => changeOwnPassword({ actor, store }, requested);
  },
};
