import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { noticeChanges } from "#lib/person/store/mail";
import { declineGate } from "#lib/gate/decline-gate";
import { assignTask } from "#lib/queue/assign-task";
import { writeNote } from "#lib/queue/write-note";
import { recallRelease } from "#lib/gate/recall-release";
import { releaseGate } from "#lib/gate/release-gate";
import { requestInformation } from "#lib/gate/request-information";
import { attend } from "#lib/submission/record-payer-answer";
import { recordInquiry } from "#lib/submission/record-inquiry";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { startWorker } from "#lib/worker/run";
import { done } from "#test/support/people/admin";
import { aChannel, anIntake, aPerson, aPractice, fullReview, seenOn, theWorker } from "#test/support/cases/cases";
import { anAnsweredTask, bytes } from "#test/support/cases/sent-cases";
import { unguarded } from "#test/support/database/ledgers";
import { aMailroom, going, publicUrl } from "#test/support/servers/mail-rounds";
import { aMailServer, type ReceivedMail } from "#test/support/servers/mail-server";
import { everyKind } from "#lib/person/model/notification";
import { readAccount } from "#lib/person/store/notification-choice";
import { chooseNotifications } from "./my-account.ts";
import { unscoped } from "#lib/db/db";

const { database, store, roundsTo } = await aMailroom();
afterAll(() => store.close());

const log = pino({ level: "silent" });
const soon = { timeout: 20_000, interval: 20 };

async function aPlace(name = "Elm Street Spine") {
  const practiceId = await aPractice(store);
  await store.prisma.practice.update({ where: { id: practiceId }, data: { name } });
  const agent = await aChannel(store, { practices: [practiceId] });
  const reviewer = async (options: { name?: string } = {}) => {
    const ctx = await aPerson(store, { practices: [practiceId], ...options });
    return { ...ctx, email: `${ctx.actor.id}@example.org` };
  };
  await noticeChanges(store);
  const send = (review?: object) => done(sendMessage(agent, anIntake({ practiceId, ...(review ? { review } : {}) })));
  return { practiceId, agent, reviewer, send };
}

const statusOf = async (personId: string) =>
  (await store.prisma.mail.findMany({ where: { personId }, orderBy: { createdAt: "asc" } })).map(
    ({ status }) => status,
  );

test("each reviewer of the practice gets one mail about a gate, with a link and nothing of the patient", async () => {
  const place = await aPlace();
  const [dana, priya] = [await place.reviewer(), await place.reviewer()];
  const stranger = await (await aPlace("Harbor Cardiology")).reviewer();
  const admin = await aPerson(store, { practices: [place.practiceId], roles: ["admin"] });
  const sent = await place.send(fullReview);
  const server = await aMailServer();
  const round = roundsTo(server.url);
  await round(going);
  await round(going);
  for (const { email } of [dana, priya]) expect(server.of(email)).toHaveLength(1);
  expect(server.of(stranger.email)).toEqual([]);
  expect(server.of(`${admin.actor.id}@example.org`)).toEqual([]);
  const [{ head, body, raw }] = server.of(dana.email) as [ReceivedMail];
  expect(head).toContain("Subject: [TEST] A request awaits release at Elm Street Spine");
  expect(body).toContain(`${publicUrl}/tasks/${sent.id}`);
  expect(body).toContain(sent.id.slice(-8).toUpperCase());
  expect(body).toContain("a request awaits release");
  expect(raw).toContain("multipart/alternative");
  for (const secret of ["Okafor", "Adaeze", "HM4471029", "M54.16", "72148"]) expect(body).not.toContain(secret);
});

test("the person who caused it gets no mail, nor a person who chose none, nor the channel's owner", async () => {
  const place = await aPlace();
  const [causes, wantsNone, owns, other] = [
    await place.reviewer(),
    await place.reviewer(),
    await place.reviewer(),
    await place.reviewer(),
  ];
  await done(chooseNotifications(wantsNone, everyKind("off")));
  await store.prisma.channel.update({ where: { id: place.agent.actor.id }, data: { ownerId: owns.actor.id } });
  const sent = await place.send();
  const server = await aMailServer();
  const round = roundsTo(server.url);
  await store.prisma.practice.update({ where: { id: place.practiceId }, data: { recallWindowS: 600 } });
  await done(releaseGate(causes, { taskId: sent.id, seen: seenOn(sent) }));
  const { gateId } = seenOn(sent);
  expect(await recallRelease(causes, { taskId: sent.id, gateId })).toMatchObject({ ok: true });
  await round(going);
  expect(server.of(other.email)).toHaveLength(1);
  for (const { email } of [causes, wantsNone, owns]) expect(server.of(email)).toEqual([]);
});

test("a case settled before its mail is left out, and several cases come in one mail", async () => {
  const place = await aPlace();
  const dana = await place.reviewer();
  const first = await place.send();
  await place.send();
  await place.send();
  await noticeChanges(store);
  await done(declineGate(await place.reviewer(), { taskId: first.id, seen: seenOn(first), reason: "Twice." }));
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  const [only, ...more] = server.of(dana.email);
  expect(more).toEqual([]);
  expect(only?.head).toContain("Subject: [TEST] 2 cases need your attention at Elm Street Spine");
  expect(only?.body).not.toContain(first.id);
  expect((await statusOf(dana.actor.id)).sort()).toEqual(["dropped", "sent", "sent"]);
});

test("a digest waits for its hour, and cases that need a person or expire soon are mailed too", async () => {
  const place = await aPlace();
  const [dana, hourly] = [await place.reviewer(), await place.reviewer()];
  await done(chooseNotifications(hourly, everyKind("hourly")));
  const sent = await place.send();
  const server = await aMailServer();
  const rounds = roundsTo(server.url);
  await rounds(going);
  expect(server.of(hourly.email)).toEqual([]);
  const due = await store.prisma.mail.findFirstOrThrow({ where: { personId: hourly.actor.id } });
  expect([due.dueAt.getUTCMinutes(), due.dueAt.getUTCSeconds()]).toEqual([0, 0]);
  await store.prisma.mail.updateMany({
    where: { personId: hourly.actor.id },
    data: { dueAt: new Date(Date.now() - 1) },
  });
  await rounds(going);
  expect(server.of(hourly.email)).toHaveLength(1);
  await store.prisma.gate.updateMany({
    where: { taskId: sent.id },
    data: { openedAt: new Date(Date.now() - 10 * 86_400_000), expiresAt: new Date(Date.now() + 20 * 3_600_000) },
  });
  await roundsTo(server.url)(going);
  expect(server.of(dana.email)).toHaveLength(2);
  expect(server.of(dana.email)[1]?.head).toContain("A request awaiting release is about to expire at Elm Street Spine");
  await done(releaseGate(hourly, { taskId: sent.id, seen: seenOn(sent) }));
  await roundsTo(server.url)(going);
  expect(server.of(dana.email)[2]?.head).toContain("Action required on a case at Elm Street Spine");
  expect(server.of(dana.email)[2]?.body).toContain("manual submission");
  expect(server.of(dana.email)[2]?.body).toContain(`${publicUrl}/account/notifications`);
});

test("a name cannot add a header, a recipient or markup", async () => {
  const place = await aPlace("Elm\r\nBcc: thief@example.com\r\n\r\n<script>alert(1)</script>\u2028X");
  const dana = await place.reviewer({ name: "Dana\r\nBcc: thief@example.com" });
  await place.send();
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  const [mail] = server.of(dana.email);
  expect(mail?.to).toEqual([dana.email]);
  expect(mail?.head).not.toMatch(/^bcc:/im);
  expect(mail?.head.match(/^to:.*$/im)?.[0]).toBe(`To: ${dana.email}`);
  expect(mail?.body.slice(mail.body.indexOf("text/html"))).not.toContain("<script>");
  expect(server.taken.flatMap(({ to }) => to)).not.toContain("thief@example.com");
});

test("an address refused for good is given up, one refused for now is retried, and the others get their mail", async () => {
  const place = await aPlace();
  const [never, later, dana] = [await place.reviewer(), await place.reviewer(), await place.reviewer()];
  await place.send();
  let isBusy = true;
  const server = await aMailServer({
    onRcptTo: ({ address }, _, answer) => {
      if (address === never.email) answer(Object.assign(new Error("No such mailbox"), { responseCode: 550 }));
      else if (address === later.email && isBusy) answer(Object.assign(new Error("Busy"), { responseCode: 451 }));
      else answer();
    },
  });
  const round = roundsTo(server.url);
  await round(going);
  expect(server.of(dana.email)).toHaveLength(1);
  expect(await statusOf(never.actor.id)).toEqual(["failed"]);
  const waiting = await store.prisma.mail.findFirstOrThrow({ where: { personId: later.actor.id } });
  expect(waiting).toMatchObject({ status: "waiting", tries: 1, problem: "EENVELOPE 451 RCPT TO", leaseUntil: null });
  expect(waiting.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
  isBusy = false;
  const again = { status: "waiting", sentAt: null, dueAt: new Date(Date.now() - 1) };
  await store.prisma.mail.update({ where: { id: waiting.id }, data: again });
  await round(going);
  expect(server.of(later.email)).toHaveLength(1);
  expect(server.of(never.email)).toEqual([]);
});

test("an outage of the mail server uses up no tries, and what is new is not given up with what was refused before", async () => {
  const place = await aPlace();
  const dana = await place.reviewer();
  const server = await aMailServer({
    onRcptTo: (_, __, answer) => answer(Object.assign(new Error("Busy"), { responseCode: 451 })),
  });
  const ofDana = { personId: dana.actor.id };
  const roundAt = async (url: string) => {
    await store.prisma.mail.updateMany({ where: ofDana, data: { dueAt: new Date(Date.now() - 1) } });
    await roundsTo(url)(going);
  };
  const triesOf = async () =>
    (await store.prisma.mail.findMany({ where: ofDana, orderBy: { createdAt: "asc" } })).map(
      ({ status, tries }) => `${status} ${tries}`,
    );
  await place.send();
  await noticeChanges(store);
  for (let time = 0; time < 8; time++) await roundAt("smtp://127.0.0.1:9");
  expect(await triesOf()).toEqual(["waiting 0"]);
  for (let time = 0; time < 8; time++) await roundAt(server.url);
  expect(await triesOf()).toEqual(["waiting 8"]);
  await store.prisma.mail.updateMany({ where: ofDana, data: { tries: 99 } });
  await place.send();
  await noticeChanges(store);
  await roundAt(server.url);
  expect(await triesOf()).toEqual(["failed 100", "waiting 1"]);
});

test("a mail that comes twice has the same Message-ID, and one that tells more has another", async () => {
  const place = await aPlace();
  const dana = await place.reviewer();
  const server = await aMailServer();
  const round = roundsTo(server.url);
  const mailedAgain = async () => {
    const again = { status: "waiting", sentAt: null, dueAt: new Date(Date.now() - 1) };
    await store.prisma.mail.updateMany({ where: { personId: dana.actor.id }, data: again });
    await round(going);
    return /^Message-ID: (<[0-9a-f]{32}@prior-auth\.example\.org>)$/im.exec(
      server.of(dana.email).at(-1)?.head ?? "",
    )?.[1];
  };
  await place.send();
  await noticeChanges(store);
  const ids = [await mailedAgain(), await mailedAgain()];
  await place.send();
  await noticeChanges(store);
  const more = await mailedAgain();
  expect(ids[0]).toBeDefined();
  expect(ids[1]).toBe(ids[0]);
  expect(more).toBeDefined();
  expect(more).not.toBe(ids[0]);
});

test("a reviewer who asked, or only looked, is mailed about what the agent sends then", async () => {
  const place = await aPlace();
  const [asks, looks, notes] = [await place.reviewer(), await place.reviewer(), await place.reviewer()];
  const sent = await place.send();
  const server = await aMailServer();
  const round = roundsTo(server.url);
  await round(going);
  await done(requestInformation(asks, { taskId: sent.id, seen: seenOn(sent), question: "Which level?" }));
  const amended = await done(sendMessage(place.agent, anIntake({ practiceId: place.practiceId, taskId: sent.id })));
  await done(writeNote(notes, { taskId: sent.id, noteId: crypto.randomUUID(), text: "I look at this one." }));
  await done(reviewTask(looks, { taskId: sent.id }));
  expect(seenOn(amended).gateId).not.toBe(seenOn(sent).gateId);
  await round(going);
  expect([asks, looks, notes].map(({ email }) => server.of(email).length)).toEqual([2, 2, 1]);
});

test("a case that needs a person again is mailed again, and as long as it does, once", async () => {
  const of = await anAnsweredTask(store, { type: "accepted" });
  const server = await aMailServer();
  const round = roundsTo(server.url);
  await noticeChanges(store);
  const calls = async () => {
    await round(going);
    return server.of(`${of.reviewer.actor.id}@example.org`).filter(({ body }) => body.includes("contact")).length;
  };
  const answer = (text: string) => ({ type: "match", answer: { type: "contact-payer", text } }) as const;
  const askToCall = (text: string) =>
    recordInquiry(theWorker(store), { taskId: of.taskId, response: { answer: answer(text), bytes } });
  await askToCall("Call.");
  expect(await calls()).toBe(1);
  await askToCall("Call at once.");
  await done(assignTask(of.reviewer, { taskId: of.taskId, from: undefined, to: of.reviewer.actor.id }));
  expect(await calls()).toBe(1);
  await done(attend(of.reviewer, { taskId: of.taskId }));
  expect(await calls()).toBe(1);
  await askToCall("Call us.");
  expect(await calls()).toBe(2);
});

test("a mail server that is gone or never answers ends the round, loses nothing and delays no other work", async () => {
  const place = await aPlace();
  const people = [await place.reviewer(), await place.reviewer()];
  const sent = await place.send();
  const mute = createServer(() => undefined);
  const mutePort = await new Promise<number>((resolve) => {
    mute.listen(0, "127.0.0.1", () => resolve((mute.address() as AddressInfo).port));
  });
  onTestFinished(() => void mute.close());
  const stuck = roundsTo(`smtp://127.0.0.1:${mutePort}`, { waitMs: 3_600_000, mailMs: 3_600_000 });
  const worker = startWorker({
    store: unscoped(store),
    log,
    everyMs: 10,
    guard: unguarded,
    mail: { round: stuck, everyMs: 10 },
  });
  const leased = () => store.prisma.mail.count({ where: { taskId: sent.id, leaseUntil: { not: null } } });
  await expect.poll(leased, soon).toBe(1);
  // The worker's other work goes on while the mail server keeps it waiting.
  await store.prisma.gate.updateMany({
    where: { taskId: sent.id },
    data: { openedAt: new Date(0), expiresAt: new Date(Date.now() - 1) },
  });
  const gate = () => store.prisma.gate.findFirstOrThrow({ where: { taskId: sent.id } });
  await expect.poll(async () => (await gate()).status, soon).toBe("expired");
  await worker.stop();
  const again = await place.send();
  await roundsTo("smtp://127.0.0.1:9")(going);
  const server = await aMailServer();
  await store.prisma.mail.updateMany({ where: { taskId: again.id }, data: { dueAt: new Date(Date.now() - 1) } });
  await roundsTo(server.url)(going);
  for (const { email } of people) expect(server.of(email)).toHaveLength(1);
});

test("two workers at once send each person one mail", async () => {
  const place = await aPlace();
  const people = await Promise.all(Array.from({ length: 6 }, () => place.reviewer()));
  await place.send();
  await place.send();
  const server = await aMailServer();
  const workers = Array.from({ length: 4 }, () => roundsTo(server.url));
  await Promise.all(workers.map((round) => round(going)));
  await Promise.all(workers.map((round) => round(going)));
  const sent = people.map(({ email }) => server.of(email).map(({ head }) => /2 cases/.test(head)));
  expect(sent.flat().length).toBeLessThanOrEqual(12);
  for (const { actor } of people) expect(await statusOf(actor.id)).toEqual(["sent", "sent"]);
  for (const { email } of people) {
    const named = server.of(email).flatMap(({ body }) => [...body.matchAll(/^- ([0-9A-F]{8}),/gm)].map(([, id]) => id));
    expect(named.length).toBe(new Set(named).size);
    expect(named).toHaveLength(2);
  }
});

test("people choose their own mail by kind, and what is no choice is refused, field by field", async () => {
  const place = await aPlace();
  const [dana, other] = [await place.reviewer(), await place.reviewer()];
  const loud = { ...everyKind("off"), quiet: { from: 18, to: 18 } };
  expect(await chooseNotifications(dana, loud)).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "quiet.to" }] },
  });
  const strange = { ...everyKind("off").kinds, gate: "loud" as "off" };
  expect(await chooseNotifications(dana, { ...everyKind("off"), kinds: strange })).toMatchObject({
    refusal: { type: "invalid", issues: [{ field: "kinds.gate" }] },
  });
  const kinds = { ...everyKind("at-once").kinds, gate: "off", expiring: "daily" } as const;
  const chosen = { kinds, quiet: { from: 18, to: 7 }, quietWeekends: true, urgentAnyway: false };
  await done(chooseNotifications(dana, chosen));
  expect((await readAccount(store, dana.actor.id)).notifications).toEqual(chosen);
  expect((await readAccount(store, other.actor.id)).notifications).toEqual(everyKind("at-once"));
  await place.send();
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  expect([server.of(dana.email).length, server.of(other.email).length]).toEqual([0, 1]);
});

test.each([
  ["2026-11-24T23:30:00Z", 18, 7, false, "2026-11-24T23:30:00Z", "17:30 in Chicago is before the evening"],
  ["2026-11-25T01:00:00Z", 18, 7, false, "2026-11-25T13:00:00Z", "the evening waits for the morning"],
  ["2026-11-25T09:00:00Z", 18, 7, false, "2026-11-25T13:00:00Z", "the night too"],
  ["2026-11-25T18:00:00Z", 12, 13, false, "2026-11-25T19:00:00Z", "hours within a day"],
  ["2026-11-28T02:00:00Z", 18, 7, true, "2026-11-30T13:00:00Z", "Friday evening waits for Monday morning"],
  ["2026-11-28T18:00:00Z", null, null, true, "2026-11-30T06:00:00Z", "Saturday waits for Monday"],
  ["2026-03-08T07:00:00Z", 1, 5, false, "2026-03-08T10:00:00Z", "the night in which clocks go forward"],
  ["2026-11-25T01:00:00Z", null, null, false, "2026-11-25T01:00:00Z", "no quiet hours"],
])("mail of %s with quiet hours %s to %s, weekends %s, comes at %s: %s", async (at, from, to, weekends, until, _) => {
  const { rows } = await store.pool.query<{ at: Date }>(
    "SELECT after_quiet($1::timestamptz, 'America/Chicago', $2::int, $3::int, $4) AS at",
    [at, from, to, weekends],
  );
  expect(rows[0]?.at.toISOString()).toBe(new Date(until).toISOString());
});

test("in quiet hours mail waits for the practice's morning, but what is urgent comes to who wants it anyway", async () => {
  const place = await aPlace();
  const [quiet, urgent] = [await place.reviewer(), await place.reviewer()];
  const zone = { timeZone: "America/New_York" };
  await store.prisma.practice.update({ where: { id: place.practiceId }, data: zone });
  const hour = Number(new Intl.DateTimeFormat("en-US", { hour: "numeric", hourCycle: "h23", ...zone }).format());
  const now = { from: hour, to: (hour + 2) % 24 };
  await done(chooseNotifications(quiet, { ...everyKind("at-once"), quiet: now, urgentAnyway: false }));
  await done(chooseNotifications(urgent, { ...everyKind("at-once"), quiet: now, urgentAnyway: true }));
  await place.send({ ...fullReview, serviceLevelCode: "U", urgentAttestation: true });
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  expect([server.of(quiet.email).length, server.of(urgent.email).length]).toEqual([0, 1]);
  const { dueAt } = await store.prisma.mail.findFirstOrThrow({ where: { personId: quiet.actor.id } });
  expect(dueAt.getTime()).toBeGreaterThan(Date.now());
  expect(dueAt.getUTCMinutes()).toBe(0);
});

test("who is assigned a case or mentioned in a note is told, by name, once, and not of their own act", async () => {
  const place = await aPlace();
  const [dana, priya] = [
    await place.reviewer({ name: "Dana Whitfield" }),
    await place.reviewer({ name: "Priya Raman" }),
  ];
  const addressed = {
    ...everyKind("off"),
    kinds: { ...everyKind("off").kinds, assigned: "at-once", mention: "at-once" },
  } as const;
  for (const each of [dana, priya]) await done(chooseNotifications(each, addressed));
  const { id: taskId } = await place.send();
  await done(assignTask(dana, { taskId, from: undefined, to: priya.actor.id }));
  const text = "@Priya Raman, could you call? Mrs Okafor waits. @Dana Whitfield";
  await done(writeNote(dana, { taskId, noteId: crypto.randomUUID(), text }));
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  expect(server.of(dana.email)).toEqual([]);
  const [mail, ...more] = server.of(priya.email);
  expect(more).toEqual([]);
  expect(mail?.head).toContain("Subject: [TEST] You were mentioned in a note at Elm Street Spine");
  for (const text of ["assigned to you", "a note mentions you", `${publicUrl}/tasks/${taskId}`])
    expect(mail?.body).toContain(text);
  for (const secret of ["Okafor", "could you call"]) expect(mail?.body).not.toContain(secret);
});

test("what cannot be noted in one practice delays neither another's notices nor what is due, and the round says so", async () => {
  const [broken, place] = [await aPlace(), await aPlace()];
  const dana = await place.reviewer();
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  onTestFinished(async () => {
    await owner.query("DROP FUNCTION refuse_mail CASCADE");
    await owner.end();
  });
  await owner.query(`CREATE FUNCTION refuse_mail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.practice_id = '${broken.practiceId}' THEN RAISE 'refused'; END IF; RETURN NEW; END $$`);
  await owner.query("CREATE TRIGGER refuse_mail BEFORE INSERT ON mail FOR EACH ROW EXECUTE FUNCTION refuse_mail()");
  await broken.reviewer();
  for (const { send } of [broken, place]) await send();
  const server = await aMailServer();
  await expect(roundsTo(server.url)(going)).rejects.toThrow("refused");
  expect(server.of(dana.email)).toHaveLength(1);
});

test("what happened in a new practice before mail was first noted for it is told", async () => {
  await aPlace();
  const practiceId = await aPractice(store);
  const agent = await aChannel(store, { practices: [practiceId] });
  const { actor } = await aPerson(store, { practices: [practiceId] });
  await done(sendMessage(agent, anIntake({ practiceId })));
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  expect(server.of(`${actor.id}@example.org`)).toHaveLength(1);
});

test("what happens while a round reads is told by the next", async () => {
  const place = await aPlace();
  const [dana, priya] = [await place.reviewer(), await place.reviewer()];
  const { id: taskId } = await place.send();
  const mentions = 60;
  let isOver = false;
  const rounds = (async () => {
    while (!isOver) await noticeChanges(store);
  })();
  const name = await store.prisma.person.findUniqueOrThrow({ where: { id: priya.actor.id } });
  for (let index = 0; index < mentions; index += 1)
    await done(writeNote(dana, { taskId, noteId: crypto.randomUUID(), text: `@${name.name} ${index}` }));
  isOver = true;
  await rounds;
  await noticeChanges(store);
  expect(await store.prisma.mail.count({ where: { personId: priya.actor.id, kind: "mention" } })).toBe(mentions);
});
