import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { closeChange, confirmChange } from "#lib/change-request/decide-change";
import { unscoped } from "#lib/db/db";
import { everyKind } from "#lib/person/model/notification";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { createChannel } from "#lib/channel/create-channel";
import { done, fresh, operator, proved } from "#test/support/people/admin";
import { aPerson, aPractice, keyPepper, sealingKey } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { aMailServer } from "#test/support/servers/mail-server";
import { openWholeStore } from "#test/support/database/whole-store";
import { createMailer } from "./mailer.ts";
import { chooseNotifications } from "./my-account.ts";
import { mailRounds } from "./run-mail.ts";

// A database of this file's own: a round writes to everybody.
const database = await freshDatabase();
const store = openWholeStore({ url: database.appUrl, sealingKey, keyPepper, connectionsMax: 8 });
afterAll(() => store.close());

const publicUrl = "https://prior-auth.example.org";
const going = new AbortController().signal;

async function anAdmin(...practices: readonly string[]): Promise<Context<PersonActor>> {
  const ctx = await aPerson(store, { practices, roles: ["admin"] });
  return { ...ctx, actor: proved(ctx.actor) };
}

const emailOf = ({ actor }: Context<PersonActor>) => `${actor.id}@example.org`;

/** Two practices where a second admin confirms, with their admins, and a channel that is to reach both. */
async function aGround() {
  const practices = [await aPractice(store), await aPractice(store)];
  const [asking, other, ofOne] = [
    await anAdmin(...practices),
    await anAdmin(...practices),
    await anAdmin(practices[0] ?? ""),
  ];
  const reviewer = await aPerson(store, { practices });
  for (const practiceId of practices) await done(setSecondAdmin({ actor: operator, store }, { practiceId, on: true }));
  const ask = async () => {
    const made = await done(createChannel(asking, { name: fresh("Night agent"), practices, atoms: ["tasks_get"] }));
    return { id: made.awaiting ?? "" };
  };
  const server = await aMailServer();
  const mailer = createMailer({ url: server.url, from: "Prior authorization <pa@example.org>", publicUrl });
  const round = mailRounds({ store: unscoped(store), log: pino({ level: "silent" }), mailer, publicUrl, quietS: 0 });
  return { asking, other, ofOne, reviewer, ask, server, round };
}

test("whoever may confirm a change is told of it once, whatever mail they chose, and nobody else", async () => {
  const { asking, other, ofOne, reviewer, ask, server, round } = await aGround();
  await done(chooseNotifications(other, everyKind("off")));
  await ask();
  await round(going);
  await round(going);
  const [mail, ...more] = server.of(emailOf(other));
  expect(more).toEqual([]);
  expect(mail?.head).toContain("Subject: A change awaits a second admin: Prior authorization");
  expect(mail?.body).toContain(`${publicUrl}/changes`);
  expect(mail?.body).not.toMatch(/Night agent/);
  for (const untold of [asking, ofOne, reviewer]) expect(server.of(emailOf(untold))).toEqual([]);
});

test("an admin of every practice who has the role by a group is told of a change", async () => {
  const { ask, server, round } = await aGround();
  const byGroup = await aPerson(store, { practices: [], roles: [] });
  await store.prisma.person.update({ where: { id: byGroup.actor.id }, data: { everywhereByGroup: ["admin"] } });
  await ask();
  await round(going);
  expect(server.of(emailOf(byGroup))).toHaveLength(1);
});

test("of a change that was decided or withdrawn before the mail left, nobody is told", async () => {
  const { asking, other, ask, server, round } = await aGround();
  await done(confirmChange(other, await ask()));
  await done(closeChange(asking, await ask()));
  await round(going);
  expect(server.of(emailOf(other))).toEqual([]);
});
