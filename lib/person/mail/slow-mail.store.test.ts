import { afterAll, expect, test } from "vitest";
import { noticeChanges } from "#lib/person/store/mail";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, anIntake, aPerson, aPractice } from "#test/support/cases/cases";
import { anOpenedCase } from "#test/support/cases/emergency";
import { done } from "#test/support/people/admin";
import { aMailroom, going } from "#test/support/servers/mail-rounds";
import { aMailServer } from "#test/support/servers/mail-server";

const { store, roundsTo } = await aMailroom();
afterAll(() => store.close());

test("who waits behind a slow mail server hears of an emergency before others get the mail that they waited for longer", async () => {
  const practiceId = await aPractice(store);
  const people = [];
  for (let count = 0; count < 3; count++) people.push(await aPerson(store, { practices: [practiceId] }));
  await noticeChanges(store);
  await done(sendMessage(await aChannel(store, { practices: [practiceId] }), anIntake({ practiceId })));
  const server = await aMailServer({ onRcptTo: (_, __, answer) => void setTimeout(answer, 300) });
  const round = roundsTo(server.url, { roundMs: 200 });
  await round(going);
  expect(server.taken).toHaveLength(1);
  await anOpenedCase(store);
  await round(going);
  expect(server.taken).toHaveLength(2);
  expect(server.taken[1]?.body).toContain("emergency");
  for (const _ of people) await round(going);
  for (const { actor } of people) expect(server.of(`${actor.id}@example.org`)).toHaveLength(1);
});
