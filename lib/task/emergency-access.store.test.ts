import { afterAll, expect, test } from "vitest";
import { releaseGate } from "#lib/gate/release-gate";
import { unscoped } from "#lib/db/db";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { chooseNotifications } from "#lib/person/mail/my-account";
import { everyKind } from "#lib/person/model/notification";
import { composeCaseMail } from "#lib/person/mail/case-mail";
import { noticeChanges } from "#lib/person/store/mail";
import { claimDueMail } from "#lib/person/store/mail-outbox";
import { done, entriesOf, operator } from "#test/support/people/admin";
import { sendMessage } from "#lib/task/send-message";
import { aHeldTask, anIntake, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { anEmergency, anOpenedCase } from "#test/support/cases/emergency";
import { listEmergencyAccesses, openEmergencyAccess, showEmergencyCase } from "./emergency-access.ts";

const store = aStore();
afterAll(() => store.close());

const gone = { ok: false, refusal: { type: "not-found", what: "link" } };

test("an administrator reads one case for an hour, decides nothing, and is on record with the reason", async () => {
  const { admin, accessId, practiceId, taskId, seen, given } = await anOpenedCase(store);
  const shown = await done(showEmergencyCase(admin, { taskId }));
  expect(shown.view).toMatchObject({ taskId, state: "transmit-held" });
  expect(shown.access).toMatchObject({ reason: given.reason, isOpen: true, by: { name: "Morgan Reyes" } });
  expect(await releaseGate(admin, { taskId, seen })).toMatchObject({ ok: false });
  const [entry] = (await entriesOf({ store }, practiceId)).slice(-1);
  expect(entry).toMatchObject({ act: "case.emergency-opened", detail: { access: accessId } });
  expect(JSON.stringify(entry)).not.toContain("surgery");
  const row = await store.prisma.emergencyAccess.findUniqueOrThrow({ where: { id: accessId } });
  expect(Buffer.from(row.reason).toString("latin1")).not.toContain("surgery");
  const lastsMs = row.expiresAt.getTime() - row.openedAt.getTime();
  expect(Math.round(lastsMs / 60_000)).toBe(60);
  await store.prisma.emergencyAccess.update({ where: { id: accessId }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect(await showEmergencyCase(admin, { taskId })).toEqual(gone);
});

test("nobody else opens it: no reviewer, no administrator elsewhere, no proof too old, and no practice that forbids it", async () => {
  const { admin, given, practiceId, reviewer } = await anEmergency(store);
  const elsewhere = await aPerson(store, { practices: [await aPractice(store)], roles: ["admin"] });
  const auditor = await aPerson(store, { practices: [practiceId], roles: ["auditor"] });
  for (const other of [reviewer, elsewhere, auditor])
    expect(await openEmergencyAccess(other, given)).toMatchObject({ refusal: { type: "not-authorised" } });
  const late = { ...admin, actor: { ...admin.actor, provedAt: new Date(Date.now() - 11 * 60_000) } };
  expect(await openEmergencyAccess(late, given)).toEqual({ ok: false, refusal: { type: "proof-needed" } });
  await done(setEmergencyAccess({ actor: operator, store }, { practiceId, on: false }));
  expect(await openEmergencyAccess(admin, given)).toMatchObject({ refusal: { issues: [{ field: "practiceId" }] } });
  expect(await store.prisma.emergencyAccess.count({ where: { practiceId } })).toBe(0);
});

test.each([
  ["a case of another practice", async () => ({ caseId: (await aHeldTask(store)).taskId.slice(-8) }), "caseId"],
  ["no case ID", async () => ({ caseId: "%_______" }), "caseId"],
  ["no reason", async () => ({ reason: "because" }), "reason"],
  ["a reason that nobody sees", async () => ({ reason: "\u200b".repeat(30) }), "reason"],
])("%s is refused at its field, and nothing is opened", async (_, wrong, field) => {
  const { admin, given, practiceId } = await anEmergency(store);
  expect(await openEmergencyAccess(admin, { ...given, ...(await wrong()) })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field }] },
  });
  expect(await store.prisma.emergencyAccess.count({ where: { practiceId } })).toBe(0);
});

test("an access is its owner's alone, ends with their role, and is listed to everybody who works there or audits it", async () => {
  const { admin, accessId, taskId, practiceId, reviewer } = await anOpenedCase(store);
  const colleague = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  for (const other of [reviewer, colleague]) {
    expect(await showEmergencyCase(other, { taskId })).toEqual(gone);
    expect(await listEmergencyAccesses(other)).toMatchObject([{ id: accessId, reason: expect.any(String) }]);
  }
  const auditor = await aPerson(store, { practices: [practiceId], roles: ["auditor"] });
  expect(await listEmergencyAccesses(auditor)).toMatchObject([{ id: accessId, reason: expect.any(String) }]);
  expect(await showEmergencyCase(auditor, { taskId })).toEqual(gone);
  for (const roles of [["reviewer"], ["auditor"]] as const) {
    const elsewhere = await aPerson(store, { practices: [await aPractice(store)], roles });
    expect(await listEmergencyAccesses(elsewhere)).toEqual([]);
  }
  const without = { ...admin, actor: { ...admin.actor, administers: [] } };
  expect(await showEmergencyCase(without, { taskId })).toEqual(gone);
  expect(await showEmergencyCase(admin, { taskId: "nothing" })).toEqual(gone);
});

test("an access ends at once when its practice allows none any more, and is listed as over", async () => {
  const { admin, practiceId, reviewer, taskId } = await anOpenedCase(store);
  await done(setEmergencyAccess({ actor: operator, store }, { practiceId, on: false }));
  expect(await showEmergencyCase(admin, { taskId })).toEqual(gone);
  expect(await listEmergencyAccesses(reviewer)).toMatchObject([{ isOpen: false }]);
});

test("an access that ended with the practice's permission stays over when the practice allows some again", async () => {
  const { admin, practiceId, given, taskId } = await anOpenedCase(store);
  for (const on of [false, true]) await done(setEmergencyAccess({ actor: operator, store }, { practiceId, on }));
  expect(await showEmergencyCase(admin, { taskId })).toEqual(gone);
  await done(openEmergencyAccess(admin, given));
  expect(await showEmergencyCase(admin, { taskId })).toMatchObject({ ok: true });
});

test("an admin opens cases of a practice at most ten times an hour, however many at once or whichever, and then again once those ended", async () => {
  const { admin, given, channel, practiceId } = await anEmergency(store);
  const others = await Promise.all(Array.from({ length: 14 }, () => sendMessage(channel, anIntake({ practiceId }))));
  const ids = others.flatMap((sent) => (sent.ok ? [sent.value.id] : []));
  expect(ids).toHaveLength(14);
  const open = (caseId: string) => openEmergencyAccess(admin, { ...given, caseId });
  const opened = await Promise.all([given.caseId, given.caseId, ...ids].map(open));
  expect(opened.filter(({ ok }) => ok)).toHaveLength(10);
  expect(opened.find(({ ok }) => !ok)).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "caseId" }] } });
  expect(await store.prisma.emergencyAccess.count({ where: { practiceId } })).toBe(10);
  await store.prisma.emergencyAccess.updateMany({ where: { practiceId }, data: { expiresAt: new Date(0) } });
  expect(await open(given.caseId)).toMatchObject({ ok: true });
});

test("every reviewer and other administrator is told by mail at once, also those who want no mail or have the role by a group", async () => {
  const { admin, given, practiceId, reviewer } = await anEmergency(store);
  const colleague = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  const byGroup = await aPerson(store, { practices: [], roles: [] });
  await store.prisma.person.update({ where: { id: byGroup.actor.id }, data: { everywhereByGroup: ["admin"] } });
  await done(chooseNotifications(reviewer, everyKind("off")));
  await noticeChanges(unscoped(store));
  await done(openEmergencyAccess(admin, given));
  await noticeChanges(unscoped(store));
  for (const reader of [reviewer, colleague, byGroup]) {
    const due = await claimDueMail(unscoped(store), reader.actor.id);
    expect(due?.items.map(({ kind }) => kind)).toEqual(["emergency"]);
    const { text } = composeCaseMail(due ?? expect.fail(), "https://pa.example");
    expect(text).toContain(
      "you review for this practice or administer it. Email about emergency access can't be turned off.",
    );
    expect(text).not.toContain("/account");
  }
  expect(await claimDueMail(unscoped(store), admin.actor.id)).toBeUndefined();
});

test("whoever lost their role in the practice before the mail of an emergency access is sent is not told", async () => {
  const { admin, given, practiceId, reviewer } = await anEmergency(store);
  await noticeChanges(unscoped(store));
  await done(openEmergencyAccess(admin, given));
  await noticeChanges(unscoped(store));
  await store.prisma.personRole.deleteMany({ where: { personId: reviewer.actor.id, practiceId } });
  expect(await claimDueMail(unscoped(store), reviewer.actor.id)).toBeUndefined();
});
