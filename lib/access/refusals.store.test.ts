import { afterAll, describe, expect, test } from "vitest";
import { beginSession } from "#lib/person/session/begin-session";
import { openCase } from "#lib/queue/open-case";
import { recallRelease } from "#lib/gate/recall-release";
import { done, operator, proved } from "#test/support/people/admin";
import { aChannel, aHeldTask, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { browseAuditLog } from "#lib/audit/browse-audit-log";
import { createPerson } from "#lib/person/create-person";
import { disablePerson } from "#lib/person/disable-person";
import { exportReceipts } from "#lib/audit/export-receipts";
import { showChannel } from "#lib/channel/list-channels";
import { listPractices } from "#lib/practice/list-practices";
import { setRetention } from "#lib/audit/set-retention";
import { showPerson } from "#lib/person/show-person";
import { suspendChannel } from "#lib/channel/suspend-channel";
import { closeChange, confirmChange } from "#lib/change-request/decide-change";
import { enablePerson } from "#lib/person/enable-person";
import { endSessions } from "#lib/person/end-sessions";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { renewLink } from "#lib/person/renew-link";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { openEmergencyAccess, showEmergencyCase } from "#lib/task/emergency-access";
import { anEmergency } from "#test/support/cases/emergency";

const store = aStore();
afterAll(() => store.close());
const admin = () => ({ actor: operator, store });

/** A change of this practice that waits for a second admin. */
async function aChangeOf(practiceId: string): Promise<string> {
  const asks = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  await done(setSecondAdmin(admin(), { practiceId, on: true }));
  const asking = { ...asks, actor: proved(asks.actor) };
  return (await done(setEmergencyAccess(asking, { practiceId, on: true }))).awaiting ?? "";
}

describe("refusals are on record", () => {
  test("a person without the role gets an entry for each refusal, and an administrator gets none", async () => {
    const reviewer = await aPerson(store, { practices: [await aPractice(store)] });
    expect((await listPractices(reviewer)).ok).toBe(false);
    expect((await setRetention(reviewer, { days: 400 })).ok).toBe(false);
    expect((await browseAuditLog(reviewer, {})).ok).toBe(false);
    await done(listPractices(admin()));
    const { rows } = await done(browseAuditLog(admin(), { person: reviewer.actor.id, kind: "denials" }));
    expect(rows.map(({ act, detail }) => [act, detail])).toEqual([
      ["person.denied", '{"requested":"record"}'],
      ["person.denied", '{"requested":"change"}'],
      ["person.denied", '{"requested":"practices"}'],
    ]);
  });

  test("a request for another practice's case, to see or to change it, is recorded; an unknown id is not", async () => {
    const { taskId, practiceId } = await aHeldTask(store);
    const own = await aPractice(store);
    const stranger = await aPerson(store, { practices: [own] });
    expect((await openCase(stranger, { taskId })).ok).toBe(false);
    expect((await recallRelease(stranger, { taskId, gateId: crypto.randomUUID() })).ok).toBe(false);
    expect((await openCase(stranger, { taskId: crypto.randomUUID() })).ok).toBe(false);
    const { rows } = await done(browseAuditLog(admin(), { person: stranger.actor.id, kind: "denials" }));
    const detail = `{"case":"${taskId}","practices":["${practiceId}"],"requested":"case"}`;
    expect(rows).toMatchObject([
      { act: "person.denied", detail },
      { act: "person.denied", detail },
    ]);
    // That there is such a case is for the auditors of its practice alone.
    const auditor = await aPerson(store, { practices: [own], roles: ["auditor"] });
    const shown = await done(browseAuditLog(auditor, { person: stranger.actor.id, kind: "denials" }));
    expect(shown.rows).toEqual([]);
  });

  test("of an administrator who asks for what is out of reach: it is not there for them, and no id that is nothing is kept", async () => {
    const [own, other] = [await aPractice(store), await aPractice(store)];
    const asking = await aPerson(store, { practices: [own], roles: ["admin", "auditor"] });
    const [channel, person] = [
      await aChannel(store, { practices: [other] }),
      await aPerson(store, { practices: [other] }),
    ];
    const [channelId, id, nothing] = [channel.actor.id, person.actor.id, crypto.randomUUID()];
    const attempts = [
      await showChannel(asking, { channelId }),
      await suspendChannel(asking, { channelId }),
      await showPerson(asking, { id }),
      await disablePerson(asking, { email: `${id}@example.org` }),
      await browseAuditLog(asking, { practiceId: other }),
      await showChannel(asking, { channelId: nothing }),
      await showPerson(asking, { id: nothing }),
      await browseAuditLog(asking, { practiceId: "nothing" }),
    ];
    expect(attempts.map((answer) => !answer.ok && answer.refusal.type)).toEqual(attempts.map(() => "not-found"));
    const { rows } = await done(browseAuditLog(admin(), { person: asking.actor.id, kind: "denials" }));
    const of = `"practices":["${other}"]`;
    expect(rows.map(({ detail }) => detail).toReversed()).toEqual([
      `{"channel":"${channelId}",${of},"requested":"channel"}`,
      `{"channel":"${channelId}",${of},"requested":"channel"}`,
      `{"person":"${id}",${of},"requested":"person"}`,
      `{"person":"${id}",${of},"requested":"person"}`,
      `{"practice":"${other}",${of},"requested":"practice"}`,
    ]);
    // To them it is as if none of it were there, in the record too.
    expect((await done(browseAuditLog(asking, { kind: "denials" }))).rows).toEqual([]);
  });

  test("of an admin who acts on a whole account that is theirs in part, or on a change that is not, there is an entry", async () => {
    const [own, other] = [await aPractice(store), await aPractice(store)];
    const { actor, ...rest } = await aPerson(store, { practices: [own], roles: ["admin"] });
    const asking = { ...rest, actor: proved(actor) };
    const { id } = (await aPerson(store, { practices: [own, other] })).actor;
    const identity = { issuer: "https://idp.example.org", subject: "subject" };
    const attempts = [
      await disablePerson(asking, { id }),
      await enablePerson(asking, { id }),
      await endSessions(asking, { personId: id }),
      await linkPerson(asking, { id, ...identity }),
      await unlinkPerson(asking, { id, ...identity }),
      await renewLink(asking, { id }),
      await resetSecondFactor(asking, { id }),
    ];
    expect(attempts.map((answer) => !answer.ok && answer.refusal.type)).toEqual(attempts.map(() => "beyond-reach"));
    const change = await aChangeOf(other);
    for (const decide of [confirmChange, closeChange])
      expect(await decide(asking, { id: change })).toEqual({
        ok: false,
        refusal: { type: "not-found", what: "change" },
      });
    expect(await confirmChange(asking, { id: crypto.randomUUID() })).toMatchObject({ refusal: { type: "not-found" } });
    const { rows } = await done(browseAuditLog(admin(), { person: actor.id, kind: "denials" }));
    expect(rows.map(({ detail }) => JSON.parse(detail) as unknown).toReversed()).toEqual([
      ...attempts.map(() => ({ requested: "person", person: id, practices: expect.arrayContaining([own, other]) })),
      ...[1, 2].map(() => ({ requested: "change", change, practices: [other] })),
    ]);
  });

  test("of another practice's case that is asked for by emergency access there is an entry; of one's own and of nothing is none", async () => {
    const { admin: asking, given, taskId, reviewer } = await anEmergency(store);
    const elsewhere = await aHeldTask(store);
    for (const caseId of [elsewhere.taskId, crypto.randomUUID()])
      expect(await openEmergencyAccess(asking, { ...given, caseId })).toMatchObject({ refusal: { type: "invalid" } });
    for (const ctx of [asking, reviewer])
      for (const id of [elsewhere.taskId, taskId, crypto.randomUUID()])
        expect(await showEmergencyCase(ctx, { taskId: id })).toMatchObject({ refusal: { type: "not-found" } });
    const casesDenied = async ({ actor }: typeof reviewer) =>
      (await done(browseAuditLog(admin(), { person: actor.id, kind: "denials" }))).rows
        .map(({ detail }) => (JSON.parse(detail) as { case: string }).case)
        .toReversed();
    expect(await casesDenied(asking)).toEqual([elsewhere.taskId, elsewhere.taskId, taskId]);
    expect(await casesDenied(reviewer)).toEqual([elsewhere.taskId]);
  });

  test("a wrong password is recorded by its account, never by what was typed", async () => {
    const email = `${crypto.randomUUID()}@example.org`;
    const input = { email, roles: ["auditor"], practices: [], password: "a long enough phrase 9" };
    const { id } = await done(createPerson(admin(), input));
    const nobody = `${crypto.randomUUID()}@example.org`;
    for (const typed of [email, nobody])
      expect(await beginSession(store, { email: typed, password: "wrong" })).toBeUndefined();
    const failed = (await done(browseAuditLog(admin(), { kind: "sign-ins" }))).rows.filter(
      ({ chain }) => chain === "people",
    );
    expect(failed.slice(0, 2).map(({ act, actor, detail }) => [act, actor, detail])).toEqual([
      ["person.sign-in-failed", "nobody", "{}"],
      ["person.sign-in-failed", "nobody", `{"person":"${id}"}`],
    ]);
  });

  test("an export of receipts is recorded", async () => {
    const practiceId = await aPractice(store);
    await done(exportReceipts(admin(), { practiceId, after: 0 }));
    const { rows } = await done(browseAuditLog(admin(), { practiceId }));
    expect(rows.map(({ act }) => act)).toContain("receipts.exported");
  });
});
