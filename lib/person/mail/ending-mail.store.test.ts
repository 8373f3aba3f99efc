import { afterAll, expect, test } from "vitest";
import { dayIn } from "#lib/platform/zoned-time";
import { dayPlus } from "#lib/report/model/range";
import { recordUnitsUsed } from "#lib/queue/record-units-used";
import { sendMessage } from "#lib/task/send-message";
import { done } from "#test/support/people/admin";
import { anIntake, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved } from "#test/support/cases/sent-cases";
import { aMailroom, going } from "#test/support/servers/mail-rounds";
import { aMailServer } from "#test/support/servers/mail-server";

const { store, roundsTo } = await aMailroom();
afterAll(() => store.close());

const dayInNewYork = (days: number) => dayPlus(dayIn("America/New_York", new Date()), days);

test("a reviewer is told once that an approval is about to end, once more in its last days, and not when it is renewed", async () => {
  const day = dayInNewYork;
  const of = await anAnsweredTask(store, {
    type: "decided",
    determination: { ...approved, validTo: day(10) },
  });
  const to = `${of.reviewer.actor.id}@example.org`;
  const server = await aMailServer();
  const [one, other] = [roundsTo(server.url), roundsTo(server.url)];
  await Promise.all([one(going), other(going)]);
  await roundsTo(server.url)(going);
  expect(server.of(to).map(({ body }) => body.includes("about to end"))).toEqual([true]);
  await store.prisma.determination.updateMany({ where: { taskId: of.taskId }, data: { validTo: new Date(day(2)) } });
  await roundsTo(server.url)(going);
  await roundsTo(server.url)(going);
  expect(server.of(to)).toHaveLength(2);
  const kinds = await store.prisma.mail.findMany({ where: { personId: of.reviewer.actor.id, kind: "ending" } });
  expect(new Set(kinds.map(({ about }) => about.split(":")[1]))).toEqual(new Set(["days", "last-days"]));
});

test("a reviewer is told once that an approval is nearly used up, and once more when it is", async () => {
  const line = { sequence: 1, action: "A1", authorized: { quantity: 10, unit: "VS" }, reasons: [] } as const;
  const of = await anAnsweredTask(store, { type: "decided", determination: { ...approved, lines: [line] } });
  const { determinationId } = await store.prisma.task.findUniqueOrThrow({ where: { id: of.taskId } });
  const server = await aMailServer();
  const namedIn = async (used: number) => {
    const uses = [{ sequence: 1, used }];
    await done(recordUnitsUsed(of.reviewer, { taskId: of.taskId, determinationId: determinationId ?? "", uses }));
    await roundsTo(server.url)(going);
    await roundsTo(server.url)(going);
    const mails = await store.prisma.mail.findMany({ where: { personId: of.reviewer.actor.id, kind: "ending" } });
    return new Set(mails.map(({ about }) => about.split(":")[1]));
  };
  expect(await namedIn(7)).toEqual(new Set());
  expect(await namedIn(8)).toEqual(new Set(["used"]));
  expect(await namedIn(9)).toEqual(new Set(["used"]));
  expect(await namedIn(10)).toEqual(new Set(["used", "used-up"]));
  expect(server.of(`${of.reviewer.actor.id}@example.org`)).toHaveLength(2);
  const old = { dueAt: new Date(Date.now() - 100 * 86_400_000) };
  await store.prisma.mail.updateMany({
    where: { personId: of.reviewer.actor.id, status: { not: "waiting" } },
    data: old,
  });
  await roundsTo(server.url)(going);
  expect(server.of(`${of.reviewer.actor.id}@example.org`)).toHaveLength(2);
  const ended = { validTo: new Date(dayInNewYork(-1)) };
  await store.prisma.determination.updateMany({ where: { taskId: of.taskId }, data: ended });
  await roundsTo(server.url)(going);
  expect(await store.prisma.mail.count({ where: { personId: of.reviewer.actor.id, kind: "ending" } })).toBe(0);
});

test.each(["Etc/GMT+12", "Pacific/Kiritimati"])(
  "an approval ends with the day of its practice, in %s",
  async (timeZone) => {
    const day = (days: number) => dayIn(timeZone, new Date(Date.now() + days * 86_400_000));
    const server = await aMailServer();
    const mailedWhere = async (days: number) => {
      const of = await anAnsweredTask(store, { type: "decided", determination: { ...approved, validTo: day(days) } });
      await store.prisma.practice.update({ where: { id: of.practiceId }, data: { timeZone } });
      await roundsTo(server.url)(going);
      return server.of(`${of.reviewer.actor.id}@example.org`).length;
    };
    expect([await mailedWhere(-1), await mailedWhere(0), await mailedWhere(13), await mailedWhere(14)]).toEqual([
      0, 1, 1, 0,
    ]);
  },
);

test("nobody is told of an approval that a renewal follows, nor of one whose end is far", async () => {
  const validTo = dayInNewYork;
  const far = await anAnsweredTask(store, { type: "decided", determination: { ...approved, validTo: validTo(30) } });
  const renewed = await anAnsweredTask(store, { type: "decided", determination: { ...approved, validTo: validTo(5) } });
  const { practiceId, taskId: earlierTaskId } = renewed;
  const review = { ...fullReview, certificationTypeCode: "R" };
  await done(sendMessage(renewed.channel, anIntake({ practiceId, earlierTaskId, review })));
  const server = await aMailServer();
  await roundsTo(server.url)(going);
  const people = [far, renewed].map(({ reviewer }) => reviewer.actor.id);
  expect(await store.prisma.mail.count({ where: { personId: { in: people }, kind: "ending" } })).toBe(0);
});
