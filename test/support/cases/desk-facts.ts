import type { Store } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { sendMessage } from "#lib/task/send-message";
import { aChannel, anIntake, aPerson, aPractice, aRoute } from "./cases.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
export const statuses = ["open", "released", "declined", "sent-back", "expired", "superseded"] as const;
export const answers = { released: "release", declined: "decline", "sent-back": "send-back" } as const;
export const results = ["received", "refused", "not-received", "unconfirmed"] as const;

/** One gate as it is in the database, and what else there is to count of it. */
export type Fact = {
  readonly practice: string;
  readonly channel: string;
  readonly reviewer: string;
  readonly status: (typeof statuses)[number];
  readonly openedAt: Date;
  readonly decidedAt: Date | undefined;
  /** After first opening the case; where that is known. */
  readonly lookedMs: number | undefined;
  /** Why it was declined, or what the question is about. */
  readonly code: "duplicate" | "wrong-payer" | undefined;
  readonly fields: readonly string[];
  readonly payer: PayerFact | undefined;
  readonly result: (typeof results)[number] | undefined;
};

/** What the payer decided and when, and whether it had denied the same before. */
type PayerFact = {
  readonly receivedAt: Date;
  readonly decidedAt: Date;
  readonly urgent: boolean;
  /** When the payer received the update that made it urgent. */
  readonly urgentAt: Date | undefined;
  readonly outcome: "approved" | "partially-approved" | "denied";
  readonly wasDenied: boolean;
};

export type Ground = {
  readonly practices: readonly string[];
  readonly channels: readonly Awaited<ReturnType<typeof aChannel>>[];
  readonly reviewers: readonly Awaited<ReturnType<typeof aPerson>>[];
  readonly facts: readonly Fact[];
};

/** Two practices, two channels, two reviewers, and sixty cases of all kinds; the same throws each time. */
export async function aGround(store: Store): Promise<Ground> {
  const practices = [await aPractice(store), await aPractice(store)];
  const channels = [await aChannel(store, { practices }), await aChannel(store, { practices })];
  const reviewers = [await aPerson(store, { practices }), await aPerson(store, { practices, name: "Lee Park" })];
  for (const practiceId of practices) await aRoute(store, { practiceId, payerId: "60054", connector: "manual" });
  const routes = { practiceId: { in: practices } };
  await store.prisma.route.updateMany({ where: routes, data: { lineOfBusiness: "medicare-advantage" } });
  const ground = { practices, channels, reviewers };
  const dice = aDice(7);
  const facts: Fact[] = [];
  // Ten at a time, so that none waits too long for a connection on a slow machine.
  while (facts.length < 60)
    facts.push(...(await Promise.all(Array.from({ length: 10 }, () => aFact(store, { ...ground, dice })))));
  return { ...ground, facts };
}

type Dice = { readonly below: (count: number) => number; readonly of: <Item>(list: readonly Item[]) => Item };

/** The same throws each time. */
function aDice(seed: number): Dice {
  let state = seed;
  const below = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
  return {
    below,
    of: (list) => {
      const item = list[below(list.length)];
      if (item === undefined) throw new Error("There is one to choose.");
      return item;
    },
  };
}

/** A case sent in by its agent, whose gate is then given its time, its answer and its sequel. */
async function aFact(
  store: Store,
  { practices, channels, reviewers, dice }: Omit<Ground, "facts"> & { readonly dice: Dice },
): Promise<Fact> {
  const [practice, channel, reviewer] = [dice.of(practices), dice.of(channels), dice.of(reviewers).actor.id];
  const fact = { practice, channel: channel.actor.id, reviewer, ...thrown(dice) };
  const review = { payer: { id: "60054" }, procedures: [{ code: "72148" }] };
  const sent = await sendMessage(channel, anIntake({ practiceId: practice, review }));
  if (!sent.ok || !sent.value.gate) throw new Error("The case stands at its gate.");
  await write(store, fact, { taskId: sent.value.id, gate: sent.value.gate });
  return fact;
}

function thrown(dice: Dice): Omit<Fact, "practice" | "channel" | "reviewer"> {
  const status = dice.of(statuses);
  const decidedAt = status === "open" ? undefined : new Date(Date.now() - dice.below(100 * 24) * hourMs - 60_000);
  const openedAt = new Date((decidedAt?.getTime() ?? Date.now()) - dice.below(14 * 24 * 60) * 60_000 - 60_000);
  const lookedMs = dice.below(4) === 0 ? undefined : 500 + dice.below(8) * 1_000;
  const code = status === "declined" ? (["duplicate", "wrong-payer"] as const)[dice.below(3)] : undefined;
  const fields = status === "sent-back" ? dice.of([[], ["/quantity"], ["/procedures/0", "/procedures/1"]]) : [];
  const result = status === "released" ? dice.of(results) : undefined;
  const answeredAt = new Date(Date.now() - dice.below(40 * 24) * hourMs - 60_000);
  const receivedAt = new Date(answeredAt.getTime() - (1 + dice.below(12 * 24)) * hourMs);
  const outcome = dice.of(["approved", "approved", "partially-approved", "denied"] as const);
  const wasDenied = outcome !== "denied" && dice.below(4) === 0;
  const urgent = dice.below(2) === 0;
  const madeUrgent = new Date(
    answeredAt.getTime() - dice.below((answeredAt.getTime() - receivedAt.getTime()) / hourMs) * hourMs,
  );
  const urgentAt = urgent && dice.below(2) === 0 ? madeUrgent : undefined;
  const payer = decidedAt && { receivedAt, decidedAt: answeredAt, urgent, urgentAt, outcome, wasDenied };
  return { status, openedAt, decidedAt, lookedMs, code, fields, payer, result };
}

type Case = { readonly taskId: string; readonly gate: { readonly id: string; readonly digest: string } };

async function write(store: Store, fact: Fact, { taskId, gate }: Case): Promise<void> {
  const { practice: practiceId, status, openedAt, decidedAt, code, fields, result, payer } = fact;
  const expiresAt = new Date(openedAt.getTime() + 30 * dayMs);
  const answered = { decidedAt: decidedAt ?? null, reasonCode: code ?? null, fields: [...fields] };
  await store.prisma.gate.update({
    where: { id: gate.id },
    data: { status, openedAt, expiresAt, ...answered, isManual: false, connector: "pas-fhir" },
  });
  await writeVote(store, fact, gate);
  const by = { gateId: gate.id, taskId, practiceId, action: "transmit", isManual: false };
  if (decidedAt && result) {
    const at = { releasedAt: decidedAt, claimableAt: decidedAt };
    await store.prisma.transmission.create({ data: { ...by, ...at, phase: "done", attempt: 1, result } });
  }
  if (payer) {
    const { decidedAt: at, receivedAt: payerReceivedAt, urgent, urgentAt, outcome, wasDenied } = payer;
    const of = { taskId, practiceId, environment: "test", document: new Uint8Array([1]), receivedAt: at };
    const determinationId = newId();
    if (wasDenied) await store.prisma.determination.create({ data: { ...of, id: newId(), outcome: "denied" } });
    await store.prisma.determination.create({ data: { ...of, id: determinationId, outcome } });
    const data = {
      ...{ decidedAt: at, payerReceivedAt, payerReceivedBy: "payer" },
      ...{ urgent, payerUrgentAt: urgentAt ?? null, state: "determined", determinationId },
    };
    await store.prisma.task.update({ where: { id: taskId }, data });
  }
}

async function writeVote(store: Store, fact: Fact, { id: gateId, digest }: Case["gate"]): Promise<void> {
  const { practice: practiceId, reviewer: personId, status, decidedAt: at, lookedMs } = fact;
  if (!at || (status !== "released" && status !== "declined" && status !== "sent-back")) return;
  await store.prisma.vote.create({ data: { gateId, personId, practiceId, answer: answers[status], at } });
  if (lookedMs === undefined) return;
  await store.pool.query(
    "INSERT INTO gate_opened (gate_id, person_id, practice_id, digest, at) VALUES ($1, $2, $3, $4, $5)",
    [gateId, personId, practiceId, digest, new Date(at.getTime() - lookedMs)],
  );
}
