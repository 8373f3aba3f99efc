import { afterAll, expect, test } from "vitest";
import { suspendChannel } from "#lib/channel/suspend-channel";
import { disablePerson } from "#lib/person/disable-person";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { setRetention } from "#lib/audit/set-retention";
import { entriesOf, everything, proved } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aStore } from "#test/support/cases/cases";

const store = aStore();
afterAll(() => store.close());

test.each([
  ["was deactivated", "UPDATE person SET status = 'disabled' WHERE id = $1"],
  ["lost a role", "DELETE FROM person_role WHERE person_id = $1 AND role = 'admin'"],
  ["lost the role over every practice", "UPDATE person SET everywhere = '{}' WHERE id = $1"],
])("an admin who %s since their session was read changes nothing, and the denial is on record", async (_, sql) => {
  const practiceId = await aPractice(store);
  const isOverall = sql.includes("everywhere");
  const { actor } = await aPerson(store, { practices: isOverall ? [] : [practiceId], roles: ["admin"] });
  const ctx = { actor: proved(actor), store };
  const channel = await aChannel(store, { practices: [practiceId] });
  const colleague = await aPerson(store, { practices: [practiceId] });
  const settings = { practiceId, urgentTargetH: 3, standardTargetH: 30 };
  expect(await changePracticeSettings(ctx, settings)).toMatchObject({ ok: true });
  await store.pool.query(sql, [actor.id]);
  const before = await everything(store);
  const attempts = [
    await changePracticeSettings(ctx, { ...settings, urgentTargetH: 4 }),
    await setRetention(ctx, { practiceId, days: 365 }),
    await suspendChannel(ctx, { channelId: channel.actor.id }),
    await disablePerson(ctx, { id: colleague.actor.id }),
  ];
  expect(attempts.map((each) => !each.ok && each.refusal.type)).toEqual(attempts.map(() => "not-authorised"));
  expect(await everything(store)).toEqual(before);
  const denied = (await entriesOf({ store }, "people")).filter(({ actor: by }) => by === `person:${actor.id}`);
  expect(denied.map(({ act }) => act)).toEqual(attempts.map(() => "person.denied"));
});
