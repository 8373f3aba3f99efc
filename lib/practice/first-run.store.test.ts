import { afterAll, expect, test } from "vitest";
import { createChannel } from "#lib/channel/create-channel";
import { createPractice } from "#lib/practice/create-practice";
import { setRoute } from "#lib/practice/set-route";
import { done, operator } from "#test/support/people/admin";
import { aChannel, aPerson, aStore, anIntake } from "#test/support/cases/cases";
import { sendMessage } from "#lib/task/send-message";
import { firstRun } from "./first-run.ts";

const store = aStore();
afterAll(() => store.close());
const admin = { actor: operator, store };

test("a new installation is led from step to step by what is there, until the first request arrives", async () => {
  const founder = await aPerson(store, { practices: [], roles: ["admin"] });
  expect(await firstRun(founder)).toEqual({ hasReviewer: false, hasRequest: false });

  await done(createPractice(admin, { id: "alder", name: "Alder", environment: "test" }));
  expect(await firstRun(founder)).toMatchObject({ practice: { id: "alder", name: "Alder" }, hasReviewer: false });
  const practiceAdmin = await aPerson(store, { practices: ["alder"], roles: ["admin"] });
  expect(await firstRun(practiceAdmin)).toBeUndefined();

  await done(setRoute(admin, { practiceId: "alder", payerId: "87042", payerName: "Lakeview", connector: "manual" }));
  await aPerson(store, { practices: ["alder"] });
  const { id } = await done(
    createChannel(admin, { name: "Agent", practices: ["alder"], atoms: ["prior_auth_intake"] }),
  );
  expect(await firstRun(founder)).toMatchObject({ payer: "Lakeview", hasReviewer: true, channelId: id });

  const channel = await aChannel(store, { practices: ["alder"] });
  await done(sendMessage(channel, anIntake({ practiceId: "alder" })));
  expect(await firstRun(founder)).toBeUndefined();
});
