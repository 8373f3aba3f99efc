import { afterAll, beforeAll, expect, test } from "vitest";
import { headlineOf, tableOf } from "#lib/messages/reviewer/report-tables";
import { figureTable, type Value } from "#lib/messages/reviewer/report-values";
import { now } from "#lib/platform/now";
import { dayIn } from "#lib/platform/zoned-time";
import { dayPlus, type RangeDays } from "#lib/report/model/range";
import type { ReportId } from "#lib/report/model/reports";
import { inTransaction } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { releaseGate } from "#lib/gate/release-gate";
import { recordDetermination } from "#lib/submission/record-payer-answer";
import { sendMessage } from "#lib/task/send-message";
import { done, entriesOf } from "#test/support/people/admin";
import { aChannel, anIntake, aPerson, aPractice, aStore, seenOn } from "#test/support/cases/cases";
import { anAnsweredTask, denied } from "#test/support/cases/sent-cases";
import { aGround, answers, type Fact, type Ground } from "#test/support/cases/desk-facts";
import { exportReport } from "./export-report.ts";
import { reportCsv } from "./report-csv.ts";
import { rollUpReports } from "./roll-up-reports.ts";
import { countPast } from "./store/roll-up.ts";
import { showReport, type ReportOf, type ReportQuery } from "./show-report.ts";

const store = aStore();
afterAll(() => store.close());

const zone = "America/New_York";
const hourMs = 60 * 60 * 1000;
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(store);
  await rollUpReports(store);
}, 60_000);

async function reportOf<Id extends ReportId>(
  report: Id,
  filter: Omit<ReportQuery, "report" | "zone"> = {},
): Promise<ReportOf<Id>> {
  const [reviewer] = ground.reviewers;
  const found = reviewer && (await done(showReport(reviewer, { ...filter, report, zone })));
  // Safe because a report answers with its own figures.
  return found as ReportOf<Id>;
}

const dayOf = (at: Date) => dayIn(zone, at);
const numberOf = (facts: readonly Fact[], status: Fact["status"]) =>
  facts.filter((fact) => fact.status === status).length;
const inNow = ({ period }: { period: string }) => period === "now";

test.each<[RangeDays, boolean]>([
  ["7", false],
  ["30", false],
  ["90", false],
  ["30", true],
])("in %s days, of one practice: %s, every figure is what the cases come to", async (days, one) => {
  const practiceId = one ? ground.practices[0] : undefined;
  const filter = { days, practiceId };
  const today = dayOf(now());
  const from = dayPlus(today, 1 - Number(days));
  const mine = ground.facts.filter(({ practice }) => !one || practice === practiceId);
  const isIn = (at: Date | undefined) => at !== undefined && dayOf(at) >= from;
  const gone = mine.filter(({ decidedAt }) => isIn(decidedAt));
  const answered = gone.filter(({ status }) => Object.hasOwn(answers, status));

  const { figures: reviews } = await reportOf("reviews", filter);
  for (const row of reviews.reviews.filter(inNow)) {
    const own = gone.filter(({ channel }) => channel === row.channel_id);
    expect(row).toMatchObject({
      released: numberOf(own, "released"),
      declined: numberOf(own, "declined"),
      sent_back: numberOf(own, "sent-back"),
      expired: numberOf(own, "expired"),
    });
  }
  const spans = reviews.spans.filter(inNow).flatMap(({ counts }) => counts);
  expect(spans.reduce((sum, each) => sum + each, 0)).toBe(answered.length);

  const { figures: reasons } = await reportOf("reasons", filter);
  for (const { channel_id, status, reason, cases } of reasons.reasons.filter(inNow)) {
    const own = gone.filter((fact) => fact.channel === channel_id && fact.status === status);
    const isWhy = ({ code, fields }: Fact) =>
      status === "declined"
        ? (code ?? "other") === reason
        : (fields.length === 0 && reason === "") || fields.some((field) => field.replace(/\/\d$/, "") === reason);
    expect(cases, `${status} for ${reason}`).toBe(own.filter(isWhy).length);
  }

  const { figures: reviewers } = await reportOf("reviewers", filter);
  for (const row of reviewers.reviewers.filter(inNow)) {
    const own = answered.filter(({ reviewer }) => reviewer === row.person_id);
    const looked = own.filter(({ status, lookedMs }) => status === "released" && lookedMs !== undefined);
    expect(row).toMatchObject({
      released: numberOf(own, "released"),
      declined: numberOf(own, "declined"),
      sent_back: numberOf(own, "sent-back"),
      seen: looked.length,
      quick: looked.filter(({ lookedMs = 0 }) => lookedMs < 4_000).length,
    });
  }

  const turned = mine.flatMap(({ payer }) => (payer && isIn(payer.decidedAt) ? [payer] : []));
  const { figures: payers } = await reportOf("payers", filter);
  const [payer] = payers.payers.filter(inNow);
  expect(payer).toMatchObject({
    name: "Harbor Mutual",
    approved: turned.filter(({ outcome }) => outcome === "approved").length,
    partly_approved: turned.filter(({ outcome }) => outcome === "partially-approved").length,
    denied: turned.filter(({ outcome }) => outcome === "denied").length,
    overturned: turned.filter(({ wasDenied }) => wasDenied).length,
    with_deadline: turned.length,
    late: turned.filter(isLate).length,
  });

  const sent = gone.flatMap(({ result }) => (result ? [result] : []));
  const { figures: submissions } = await reportOf("submissions", filter);
  const [submission] = submissions.submissions.filter(inNow);
  const sum = (result: string) => sent.filter((each) => each === result).length;
  if (sent.length === 0) expect(submission).toBeUndefined();
  else
    expect(submission).toMatchObject({
      connector: "pas-fhir",
      released: sent.length,
      received: sum("received"),
      refused: sum("refused"),
      not_received: sum("not-received"),
      unconfirmed: sum("unconfirmed"),
    });
});

test("the backlog at the end of each day is the number of cases open then", async () => {
  const { figures, range } = await reportOf("overview", { days: "90" });
  for (let day = range.beforeFrom; day <= range.to; day = dayPlus(day, 1)) {
    const open = ground.facts.filter(
      ({ openedAt, decidedAt }) => dayOf(openedAt) <= day && !(decidedAt && dayOf(decidedAt) <= day),
    );
    expect(figures.intake.findLast((row) => row.day <= day)?.awaiting ?? 0, day).toBe(open.length);
  }
});

test("the payer measures of a year are exact, standard and expedited apart", async () => {
  // In the first days of a year there may be no decision of each kind yet.
  const year = Number(dayOf(new Date(now().getTime() - 20 * 24 * hourMs)).slice(0, 4));
  const { figures } = await reportOf("measures", { practiceId: ground.practices[0], year });
  const turned = ground.facts.flatMap(({ payer, practice }) =>
    payer && practice === ground.practices[0] && dayOf(payer.decidedAt).startsWith(String(year)) ? [payer] : [],
  );
  for (const row of figures.measures) {
    const own = turned.filter(({ urgent }) => urgent === row.urgent);
    const took = own
      .map(({ receivedAt, decidedAt }) => (decidedAt.getTime() - receivedAt.getTime()) / 1000)
      .toSorted((a, b) => a - b);
    const [low = 0, high = 0] = [took[Math.floor((took.length - 1) / 2)], took[Math.ceil((took.length - 1) / 2)]];
    expect(row.median_s).toBeCloseTo((low + high) / 2, 3);
    expect(row.mean_s).toBeCloseTo(took.reduce((sum, each) => sum + each, 0) / took.length, 3);
    expect(row).toMatchObject({
      approved: own.filter(({ outcome }) => outcome === "approved").length,
      denied: own.filter(({ outcome }) => outcome === "denied").length,
      overturned: own.filter(({ wasDenied }) => wasDenied).length,
    });
  }
  expect(figures.measures.map(({ urgent }) => urgent)).toEqual([false, true]);
});

test("the audit log says which days or which year an exported report is of", async () => {
  const practiceId = await aPractice(store);
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const days = { from: "2026-01-05", to: "2026-02-03" };
  await done(exportReport(reviewer, { report: "reviews", practiceId, zone, ...days }));
  await done(exportReport(reviewer, { report: "measures", practiceId, zone, year: 2025, ...days }));
  expect((await entriesOf({ store }, practiceId)).map(({ detail }) => detail).slice(-2)).toEqual([
    { table: "reviews", firstDay: "2026-01-05", lastDay: "2026-02-03" },
    { table: "measures", year: 2025 },
  ]);
});

test("what happens after the first round is counted once, whatever the number of workers", async () => {
  const practiceId = await aPractice(store);
  const [agent, reviewer] = [
    await aChannel(store, { practices: [practiceId] }),
    await aPerson(store, { practices: [practiceId] }),
  ];
  await rollUpReports(store);
  const send = () => done(sendMessage(agent, anIntake({ practiceId })));
  const [first] = [await send(), await send(), await send()];
  await done(releaseGate(reviewer, { taskId: first.id, seen: seenOn(first) }));
  await Promise.all([1, 2, 3].map(() => rollUpReports(store)));
  await rollUpReports(store);
  const report = await done(showReport(reviewer, { report: "overview", zone }));
  const shown = Object.fromEntries(headlineOf(report).map(({ name, now: value }) => [name, value]));
  expect(shown).toMatchObject({
    "Requests received": { count: 3 },
    "Awaiting release at the end": { count: 2 },
    "Decided by reviewers": { count: 1 },
  });
});

test("denials are counted by payer and reason, with those overturned since", async () => {
  const of = await anAnsweredTask(store, {
    type: "decided",
    determination: { ...denied, decidedAt: now().toISOString() },
  });
  const denials = async () => {
    await rollUpReports(store);
    const report = await done(showReport(of.reviewer, { report: "denials", zone }));
    return report.report === "denials" ? report.figures.denials : [];
  };
  expect(await denials()).toMatchObject([{ reason: "0F", denied: 1, overturned: 0 }]);
  const letter = { evidence: "Letter", decidedAt: now() };
  await done(recordDetermination(of.reviewer, { taskId: of.taskId, outcome: "approved", ...letter }));
  expect(await denials()).toMatchObject([{ reason: "0F", denied: 1, overturned: 1 }]);
});

test("another time zone cuts the days anew", async () => {
  const before = await reportOf("reviews", { days: "365" });
  const moved = { where: { id: { in: [...ground.practices] } } };
  await store.prisma.practice.updateMany({ ...moved, data: { timeZone: "Pacific/Guam" } });
  await rollUpReports(store);
  const after = await reportOf("reviews", { days: "365" });
  const left = (report: ReportOf<"reviews">) =>
    report.figures.reviews.map(({ released, declined }) => [released, declined]);
  expect(left(after)).toEqual(left(before));
  await store.prisma.practice.updateMany({ ...moved, data: { timeZone: zone } });
  await rollUpReports(store);
});

test("a practice whose figures can't be made keeps no other practice from its own", async () => {
  const [broken, whole] = [await aPractice(store), await aPractice(store)];
  // Another zone than any there is fails where its days are cut.
  await store.prisma.practice.update({ where: { id: broken }, data: { timeZone: "Nowhere/None" } });
  try {
    await expect(rollUpReports(store)).rejects.toThrow("for this many practices: 1.");
  } finally {
    await store.prisma.practice.update({ where: { id: broken }, data: { timeZone: zone } });
  }
  const followed = await store.prisma.reportProgress.findMany({ where: { practiceId: { in: [broken, whole] } } });
  expect(followed.map(({ practiceId }) => practiceId)).toEqual([whole]);
});

test("figures of several practices are as of the first entry that one of them has not counted", async () => {
  const [followed, left] = [await aPractice(store), await aPractice(store)];
  const agent = await aChannel(store, { practices: [followed, left] });
  const reviewer = await aPerson(store, { practices: [followed, left] });
  const asOf = async () => (await done(showReport(reviewer, { report: "overview", zone }))).asOf;
  await done(sendMessage(agent, anIntake({ practiceId: left })));
  await rollUpReports(store);
  await done(sendMessage(agent, anIntake({ practiceId: left })));
  const counted = await store.prisma.reportProgress.findUniqueOrThrow({ where: { practiceId: left } });
  const next = await store.prisma.auditEntry.findFirstOrThrow({ where: { chain: left, seq: { gt: counted.seq } } });
  await done(sendMessage(agent, anIntake({ practiceId: followed })));
  const other = await store.prisma.reportProgress.update({
    where: { practiceId: followed },
    data: { at: new Date(Date.now() + hourMs) },
  });
  expect(other.at.getTime()).toBeGreaterThan(next.at.getTime());
  expect(await asOf()).toEqual(next.at);
  await rollUpReports(store);
  const rolled = await store.prisma.reportProgress.findMany({ where: { practiceId: { in: [followed, left] } } });
  expect(await asOf()).toEqual(new Date(Math.max(...rolled.map(({ at }) => at.getTime()))));
});

test("the measures of a year are as of when its figures were made", async () => {
  const practiceId = await aPractice(store);
  const reviewer = await aPerson(store, { practices: [practiceId] });
  await rollUpReports(store);
  const asOf = async (report: ReportId) => (await done(showReport(reviewer, { report, practiceId, zone }))).asOf;
  expect(await asOf("measures")).toEqual(await asOf("overview"));
  const yearsAt = new Date(Date.now() - hourMs);
  await store.prisma.reportProgress.update({ where: { practiceId }, data: { yearsDue: [2026], yearsAt } });
  expect(await asOf("measures")).toEqual(yearsAt);
  expect(await asOf("overview")).not.toEqual(yearsAt);
});

test("a past of more cases than one statement brings is counted whole, once", async () => {
  const practiceId = await aPractice(store);
  const agent = await aChannel(store, { practices: [practiceId] });
  for (let sent = 0; sent < 5; sent += 1) await done(sendMessage(agent, anIntake({ practiceId })));
  const practice = { practiceId, zone, rules: [] };
  const past = await inTransaction(forPractices(store, [practiceId]), (tx) => countPast(tx, practice, 2));
  const [{ seq }] = await store.prisma.$queryRaw<[{ seq: bigint }]>`
    SELECT max(seq) AS seq FROM audit_entry WHERE chain = ${practiceId}`;
  expect(past?.seq).toBe(seq);
  const days = await store.prisma.reportIntakeDay.aggregate({
    where: { practiceId },
    _sum: { received: true, awaitingChange: true },
  });
  expect(days._sum).toEqual({ received: 5, awaitingChange: 5 });
});

test("a person sees the reports of the practices they review for or administer, and of no other", async () => {
  const elsewhere = await aPractice(store);
  const none = { ok: false, refusal: { type: "not-found" } };
  const [reviewer, admin, auditor] = await Promise.all(
    (["reviewer", "admin", "auditor"] as const).map((role) =>
      aPerson(store, { practices: ground.practices, roles: [role] }),
    ),
  );
  const ask = (who: typeof reviewer, practiceId?: string) =>
    who && showReport(who, { report: "reviews", zone, practiceId });
  expect(await ask(reviewer, elsewhere)).toEqual(none);
  expect(await ask(admin, elsewhere)).toEqual(none);
  expect(await ask(auditor, ground.practices[0])).toEqual(none);
  expect(await ask(auditor)).toMatchObject({ ok: true, value: { practices: [], figures: { reviews: [] } } });
  for (const who of [reviewer, admin])
    expect(await ask(who, ground.practices[0])).toMatchObject({ ok: true, value: { practices: [{}, {}] } });
});

test("a table is written as RFC 4180 defines: units in the header, a share with its two numbers, no formula", () => {
  const share: Value = { kind: "share", share: { part: 1, of: 3 } };
  const rows: readonly (readonly Value[])[] = [
    [
      { kind: "text", text: 'Ärzte, "Nord"\n2' },
      { kind: "count", count: 1200 },
      share,
      { kind: "span", seconds: 90.5 },
    ],
    [
      { kind: "text", text: "=1+1" },
      { kind: "count", count: 0 },
      { kind: "share", share: { part: 0, of: 0 } },
      { kind: "span", seconds: null },
    ],
  ];
  const columns = [
    { name: "Channel", kind: "text" },
    { name: "Released", kind: "count" },
    { name: "Late", kind: "share" },
    { name: "Median", kind: "span" },
  ] as const;
  expect(reportCsv({ columns, rows })).toBe(
    '\uFEFF"Channel","Released","Late","Late, cases","Late, of","Median (s)"\r\n"Ärzte, ""Nord""\n2",1200,0.3333,1,3,90.5\r\n"\'=1+1",0,,0,0,\r\n',
  );
});

test("a duration among figures of other kinds has its unit after the figure's name", () => {
  const figures = [
    { name: "Median payer time", now: { kind: "span", seconds: 48 }, before: { kind: "span", seconds: null } },
    { name: "Requests received", now: { kind: "count", count: 3 } },
  ] as const;
  expect(reportCsv(figureTable(figures)).split("\r\n").slice(1, 3)).toEqual([
    '"Median payer time (s)",48,',
    '"Requests received",3,""',
  ]);
});

test.each(["+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1"])(
  "%j is never a formula in a spreadsheet",
  (text) => {
    const table = { columns: [{ name: "Channel", kind: "text" }], rows: [[{ kind: "text", text }]] } as const;
    expect(reportCsv(table)).toContain(`"'${text}"`);
  },
);

test("every report has figures and a table without a case", async () => {
  const reviewer = await aPerson(store, { practices: [await aPractice(store)] });
  for (const report of [
    "overview",
    "reviews",
    "reasons",
    "reviewers",
    "payers",
    "denials",
    "submissions",
    "measures",
  ] as const) {
    const shown = await done(showReport(reviewer, { report, zone }));
    expect(headlineOf(shown).length, report).toBeGreaterThan(1);
    expect(tableOf(shown).rows, report).toHaveLength(report === "overview" ? 8 : 0);
  }
});

/** Medicare Advantage: 72 h where it is urgent, else to the end of the seventh day of the calendar after the receipt's. */
function isLate({ receivedAt, decidedAt, urgent, urgentAt }: NonNullable<Fact["payer"]>): boolean {
  const isLateUrgent = decidedAt.getTime() >= (urgentAt ?? receivedAt).getTime() + 72 * hourMs;
  const isLateStandard = dayOf(decidedAt) > dayPlus(dayOf(receivedAt), 7);
  if (!urgent) return isLateStandard;
  return isLateUrgent || (urgentAt !== undefined && isLateStandard);
}
