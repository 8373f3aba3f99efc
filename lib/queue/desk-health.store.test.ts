import { afterAll, beforeAll, expect, test } from "vitest";
import { dayIn } from "#lib/platform/zoned-time";
import { aPerson, aPractice, aStore } from "#test/support/cases";
import { aGround, answers, type Fact, type Ground, type results } from "#test/support/desk-facts";
import { deskHealth, type DeskHealth, type HealthWindow } from "./desk-health.ts";
import { healthTable } from "#lib/messages/reviewer/health-tables";

const store = aStore();
afterAll(() => store.close());

const zone = "America/New_York";
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(store);
}, 60_000);

test.each<[HealthWindow, boolean]>([
  ["7", false],
  ["30", false],
  ["90", false],
  ["30", true],
])("in %s days, of one practice: %s, every figure is what the cases come to", async (window, one) => {
  const { practices, reviewers, facts } = ground;
  const practiceId = one ? practices[0] : undefined;
  const health = await healthOf({ window, practiceId });
  const mine = facts.filter(({ practice }) => !one || practice === practiceId);
  const firstDay = dayIn(zone, new Date(Date.parse(`${health.today}T12:00:00Z`) - (Number(window) - 1) * dayMs));
  const isIn = (at: Date | undefined) => at !== undefined && dayIn(zone, at) >= firstDay;
  const open = mine.filter(({ status }) => status === "open");
  const gone = mine.filter(({ decidedAt }) => isIn(decidedAt));

  const all = health.waiting.find(({ practice_id }) => practice_id === null);
  expect(all?.waiting).toBe(open.length);
  expectSpans(
    all,
    open.map(({ openedAt }) => health.now.getTime() - openedAt.getTime()),
  );

  const answered = gone.filter(({ status }) => Object.hasOwn(answers, status));
  const whole = health.periods.find(({ back }) => back === null);
  expect(whole).toMatchObject({ decided: answered.length, expired: numberOf(gone, "expired"), gone: gone.length });
  expectSpans(whole, answered.map(tookMs));

  for (const row of health.channels) {
    const own = gone.filter(({ channel }) => channel === row.channel_id);
    expect(row).toMatchObject({
      released: numberOf(own, "released"),
      declined: numberOf(own, "declined"),
      sent_back: numberOf(own, "sent-back"),
      expired: numberOf(own, "expired"),
    });
  }
  for (const { channel_id, status, reason, cases } of health.reasons) {
    const own = gone.filter((fact) => fact.channel === channel_id && fact.status === status);
    const isWhy = ({ code, fields }: Fact) =>
      status === "declined"
        ? (code ?? "other") === reason
        : (fields.length === 0 && reason === "") || fields.some((field) => field.replace(/\/\d$/, "") === reason);
    expect(cases, `${status} for ${reason}`).toBe(own.filter(isWhy).length);
  }
  expect(health.reasons.reduce((sum, { cases }) => sum + cases, 0)).toBe(
    numberOf(gone, "declined") + numberOf(gone, "sent-back"),
  );
  for (const row of health.reviewers) {
    const own = answered.filter(({ reviewer }) => reviewer === row.person_id);
    const looked = own.filter(({ status, lookedMs }) => status === "released" && lookedMs !== undefined);
    expect(row).toMatchObject({
      released: numberOf(own, "released"),
      declined: numberOf(own, "declined"),
      sent_back: numberOf(own, "sent-back"),
      seen: looked.length,
      quick: looked.filter(({ lookedMs = 0 }) => lookedMs < 4_000).length,
    });
    expectSpans(row, own.map(tookMs));
  }
  expect(health.reviewers.map(({ person_id }) => person_id)).toEqual(
    reviewers.map(({ actor }) => actor.id).filter((id) => answered.some(({ reviewer }) => reviewer === id)),
  );

  const turned = mine.flatMap(({ payer }) => (payer && isIn(payer.decidedAt) ? [payer] : []));
  const [payer] = health.payers;
  expect(payer).toMatchObject({
    name: "Harbor Mutual",
    decided: turned.length,
    clocked: turned.length,
    late: turned.filter(isLate).length,
  });
  expectSpans(
    payer,
    turned.map(({ receivedAt, decidedAt }) => decidedAt.getTime() - receivedAt.getTime()),
  );

  const sent = gone.flatMap(({ result }) => (result ? [result] : []));
  const [transmission] = health.transmissions;
  const sum = (result: (typeof results)[number]) => sent.filter((each) => each === result).length;
  expect(transmission).toMatchObject({
    connector: "pas-fhir",
    released: sent.length,
    received: sum("received"),
    refused: sum("refused"),
    not_received: sum("not-received"),
    unconfirmed: sum("unconfirmed"),
  });
});

test("the number waiting at the end of each period is the number of cases open then", async () => {
  for (const window of ["7", "30", "90"] as const) {
    const health = await healthOf({ window });
    const { rows } = healthTable("periods", health);
    expect(rows).toHaveLength(Math.ceil(Number(window) / health.periodDays));
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1]?.[0];
      // Compared as days of the reader's calendar; the last one ends now.
      const isBefore = (at: Date) => typeof next !== "string" || dayIn(zone, at) < next;
      const open = ground.facts.filter(
        ({ openedAt, decidedAt }) => isBefore(openedAt) && !(decidedAt && isBefore(decidedAt)),
      );
      expect(row[4], `${window} days, from ${row[0]}`).toBe(open.length);
    }
  }
});

test("shares are relative to the answered cases, and null without any", async () => {
  const health = await healthOf({ window: "90" });
  for (const [, released, declined, sentBack, expired, ...shares] of healthTable("channels", health).rows) {
    const all = Number(released) + Number(declined) + Number(sentBack) + Number(expired);
    expect(shares).toEqual([Number(declined) / all, Number(sentBack) / all, Number(expired) / all]);
  }
  const empty = await aPerson(store, { practices: [await aPractice(store)] });
  const none = await deskHealth(empty, { window: "30", zone });
  expect(none).toMatchObject({ ok: true, value: { channels: [], reviewers: [], payers: [], transmissions: [] } });
});

test("a person gets no figures of another's practice, and none without a practice", async () => {
  const reviewer = await aPerson(store, { practices: ground.practices });
  const elsewhere = await aPractice(store);
  const none = { ok: false, refusal: { type: "not-found" } };
  expect(await deskHealth(reviewer, { window: "7", zone, practiceId: elsewhere })).toEqual(none);
  const admin = await aPerson(store, { practices: ground.practices, roles: ["admin"] });
  expect(await deskHealth(admin, { window: "7", zone, practiceId: ground.practices[0] })).toEqual(none);
  expect(await deskHealth(admin, { window: "7", zone })).toMatchObject({
    ok: true,
    value: { practices: [], channels: [], payers: [] },
  });
});

async function healthOf({
  window,
  practiceId,
}: {
  window: HealthWindow;
  practiceId?: string | undefined;
}): Promise<DeskHealth> {
  const [reviewer] = ground.reviewers;
  const found = reviewer && (await deskHealth(reviewer, { window, practiceId, zone }));
  if (!found?.ok) throw new Error("A reviewer sees their practices.");
  return found.value;
}

const numberOf = (facts: readonly Fact[], status: Fact["status"]) =>
  facts.filter((fact) => fact.status === status).length;
const tookMs = ({ openedAt, decidedAt }: Fact) => (decidedAt?.getTime() ?? 0) - openedAt.getTime();

/** Medicare Advantage: 72 h where it is urgent, else to the end of the seventh day of the calendar after the receipt's. */
function isLate({ receivedAt, decidedAt, urgent }: NonNullable<Fact["payer"]>): boolean {
  if (urgent) return decidedAt.getTime() >= receivedAt.getTime() + 72 * hourMs;
  const last = new Date(Date.parse(`${dayIn(zone, receivedAt)}T12:00:00Z`) + 7 * dayMs).toISOString().slice(0, 10);
  return dayIn(zone, decidedAt) > last;
}

/** The median and the 90th percentile, interpolated between neighbours, to within a second. */
function expectSpans(
  row: { p50_s: number | null; p90_s: number | null } | undefined,
  spansMs: readonly number[],
): void {
  expect(spansMs.length).toBeGreaterThan(0);
  const sorted = spansMs.toSorted((one, other) => one - other);
  const at = (part: number) => {
    const place = part * (sorted.length - 1);
    const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return (low + (high - low) * (place % 1)) / 1000;
  };
  expect(row?.p50_s).toBeCloseTo(at(0.5), 0);
  expect(row?.p90_s).toBeCloseTo(at(0.9), 0);
}
