import { afterAll, describe, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import { openCase } from "#lib/queue/open-case";
import { recallRelease } from "#lib/gate/recall-release";
import { done, operator } from "#test/support/admin";
import { aChannel, aHeldTask, aPerson, aPractice, aStore } from "#test/support/cases";
import { browseRecord } from "#lib/audit/browse-record";
import { createPerson } from "#lib/person/create-person";
import { disablePerson } from "#lib/person/disable-person";
import { exportReceipts } from "#lib/audit/export-receipts";
import { showChannel } from "#lib/channel/list-channels";
import { listPractices } from "#lib/practice/list-practices";
import { setRetention } from "#lib/audit/set-retention";
import { showPerson } from "#lib/person/show-person";
import { suspendChannel } from "#lib/channel/suspend-channel";

const store = aStore();
afterAll(() => store.close());
const admin = () => ({ actor: operator, store });

describe("refusals are on record", () => {
  test("of a person without the power, one entry each, and of an administrator none", async () => {
    const reviewer = await aPerson(store, { practices: [await aPractice(store)] });
    expect((await listPractices(reviewer)).ok).toBe(false);
    expect((await setRetention(reviewer, { days: 400 })).ok).toBe(false);
    expect((await browseRecord(reviewer, {})).ok).toBe(false);
    await done(listPractices(admin()));
    const { rows } = await done(browseRecord(admin(), { person: reviewer.actor.id, kind: "denials" }));
    expect(rows.map(({ act, detail }) => [act, detail])).toEqual([
      ["person.denied", '{"asked":"record"}'],
      ["person.denied", '{"asked":"change"}'],
      ["person.denied", '{"asked":"practices"}'],
    ]);
  });

  test("of whoever asks for another practice's case, to see it or to change it; an id of no case is none", async () => {
    const { taskId } = await aHeldTask(store);
    const stranger = await aPerson(store, { practices: [await aPractice(store)] });
    expect((await openCase(stranger, { taskId })).ok).toBe(false);
    expect((await recallRelease(stranger, { taskId, gateId: crypto.randomUUID() })).ok).toBe(false);
    expect((await openCase(stranger, { taskId: crypto.randomUUID() })).ok).toBe(false);
    const { rows } = await done(browseRecord(admin(), { person: stranger.actor.id, kind: "denials" }));
    const detail = `{"asked":"case","case":"${taskId}"}`;
    expect(rows).toMatchObject([
      { act: "person.denied", detail },
      { act: "person.denied", detail },
    ]);
  });

  test("of an administrator who asks for what is out of reach: it is not there for them, and no id that is nothing is kept", async () => {
    const [own, other] = [await aPractice(store), await aPractice(store)];
    const asking = await aPerson(store, { practices: [own], roles: ["admin", "auditor"] });
    const [channel, person] = [
      await aChannel(store, { practices: [other] }),
      await aPerson(store, { practices: [other] }),
    ];
    const [channelId, id, nothing] = [channel.actor.id, person.actor.id, crypto.randomUUID()];
    const asked = [
      await showChannel(asking, { channelId }),
      await suspendChannel(asking, { channelId }),
      await showPerson(asking, { id }),
      await disablePerson(asking, { email: `${id}@example.org` }),
      await browseRecord(asking, { practiceId: other }),
      await showChannel(asking, { channelId: nothing }),
      await showPerson(asking, { id: nothing }),
      await browseRecord(asking, { practiceId: "nothing" }),
    ];
    expect(asked.map((answer) => !answer.ok && answer.refusal.type)).toEqual(asked.map(() => "not-found"));
    const { rows } = await done(browseRecord(admin(), { person: asking.actor.id, kind: "denials" }));
    const of = `"practices":["${other}"]`;
    expect(rows.map(({ detail }) => detail).toReversed()).toEqual([
      `{"asked":"channel","channel":"${channelId}",${of}}`,
      `{"asked":"channel","channel":"${channelId}",${of}}`,
      `{"asked":"person","person":"${id}",${of}}`,
      `{"asked":"person","person":"${id}",${of}}`,
      `{"asked":"practice","practice":"${other}",${of}}`,
    ]);
    // To them it is as if none of it were there, in the record too.
    expect((await done(browseRecord(asking, { kind: "denials" }))).rows).toEqual([]);
  });

  test("of a wrong password by whose account it was, and never what was typed", async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const input = { email, roles: ["auditor"], practices: [], password: "a long enough phrase 9" };
    const { id } = await done(createPerson(admin(), input));
    const nobody = `${crypto.randomUUID()}@example.org`;
    for (const typed of [email, nobody])
      expect(await beginSession(store, { email: typed, password: "wrong" })).toBeUndefined();
    const failed = (await done(browseRecord(admin(), { kind: "sign-ins" }))).rows.filter(
      ({ chain }) => chain === "people",
    );
    expect(failed.slice(0, 2).map(({ act, actor, detail }) => [act, actor, detail])).toEqual([
      ["person.sign-in-failed", "nobody", "{}"],
      ["person.sign-in-failed", "nobody", `{"person":"${id}"}`],
    ]);
  });

  test("and an export of receipts is", async () => {
    const practiceId = await aPractice(store);
    await done(exportReceipts(admin(), { practiceId, after: 0 }));
    const { rows } = await done(browseRecord(admin(), { practiceId }));
    expect(rows.map(({ act }) => act)).toContain("receipts.exported");
  });
});
