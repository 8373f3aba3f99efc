import { project, type Event, type Projection } from "./lifecycle/event.ts";
import { type PayerFacts, attentionOf, type Task } from "./task.ts";
import { evolve } from "./lifecycle/evolve.ts";

/**
 * Who stated when the payer received a request: the payer, the person who submitted it, or neither, so that it is when
 * we learned of it.
 */
export const receiptSources = ["payer", "person", "service"] as const;
export type ReceivedBy = (typeof receiptSources)[number];

/** When the case that the payer has was submitted, received, decided and voided, as far as that is known. */
export type Times = {
  /** Of the first request that the payer has. If it rejected that, of that request until the next is submitted. */
  readonly sentAt?: Date | undefined;
  readonly received?: { readonly at: Date; readonly by: ReceivedBy } | undefined;
  /** Of the first determination, by the payer's date if it gave one. */
  readonly decidedAt?: Date | undefined;
  readonly voidedAt?: Date | undefined;
};

/** The times that a change brings. */
export type LearnedTimes = {
  readonly now: Date;
  /** Something was submitted at this instant. */
  readonly leftAt?: Date | undefined;
  /** When the payer received the request, as the payer or a person stated. */
  readonly received?: { readonly at: Date; readonly by: "payer" | "person" } | undefined;
};

/** The times of a case, and whether its payer had it. */
type Before = Times & Pick<PayerFacts, "payerReceipt">;

/**
 * The times after these events. The first receipt stays, because the payer's deadline runs from it; only what the payer
 * states of that replaces another's word, and not what it states of an update or a void. A request that the payer turns out not to have has no receipt. No stated time is later
 * than now, and no receipt is earlier than the submission.
 */
export function timesAfter(before: Before, events: readonly Event[], { now, leftAt, received }: LearnedTimes): Times {
  const sentAt = before.payerReceipt === "no" ? (leftAt ?? before.sentAt) : (before.sentAt ?? leftAt);
  const stated = received && { at: clamp(received.at, sentAt, now), by: received.by };
  const ours = stated ?? { at: clamp(now, sentAt, now), by: "service" as const };
  const known = events.reduce((at, event) => receivedAfter(at, project(receipts, event), ours), before.received);
  const decided = events.flatMap((event) =>
    event.type === "payer.decided" && event.counts ? [event.determination] : [],
  );
  const [first] = decided;
  const isLater = before.sentAt !== undefined && leftAt !== undefined && leftAt > before.sentAt;
  return {
    sentAt,
    received: known && known.by !== "payer" && stated?.by === "payer" && !isLater ? stated : known,
    decidedAt: before.decidedAt ?? (first && clamp(first.decidedAt ?? now, undefined, now)),
    voidedAt: before.voidedAt ?? voidedBy(events, { now, leftAt }),
  };
}

type Receipt = PayerFacts["payerReceipt"];

function receivedAfter(
  received: Times["received"],
  receipt: Receipt | undefined,
  ours: NonNullable<Times["received"]>,
): Times["received"] {
  if (receipt === "no") return undefined;
  return receipt === "yes" ? (received ?? ours) : received;
}

/** What each event says about whether the payer has the case. Undefined if it says nothing about that. */
const receipts: Projection<Receipt | undefined> = {
  "transmission.unconfirmed": ({ payerReceipt }) => payerReceipt,
  "transmission.received": () => "yes",
  "transmission.void-accepted": () => "yes",
  "transmission.refused": ({ payerReceipt }) => payerReceipt,
  "transmission.not-received": ({ payerReceipt }) => payerReceipt,
  "payer.decided": ({ counts, payerReceipt }) => (counts ? payerReceipt : undefined),
  "payer.requested-information": ({ counts, payerReceipt }) => (counts ? payerReceipt : undefined),
  "payer.voided": ({ counts }) => (counts ? "yes" : undefined),
  "payer.rejected": ({ counts, keeps }) => (counts ? (keeps?.payerReceipt ?? "no") : undefined),
  "payer.void-refused": () => "yes",
  "payer.requested-contact": ({ counts, payerReceipt }) => (counts ? payerReceipt : undefined),
};

/** A void that its payer took at once is of when it was submitted, which a person may record days later. */
function voidedBy(events: readonly Event[], { now, leftAt }: LearnedTimes): Date | undefined {
  if (events.some((event) => event.type === "transmission.void-accepted" && event.done)) return leftAt ?? now;
  return events.some((event) => event.type === "payer.voided" && event.counts && event.voided) ? now : undefined;
}

export function clamp(at: Date, from: Date | undefined, to: Date): Date {
  if (at > to) return to;
  return from && at < from ? from : at;
}

/** By when a person must act: an instant, or within the practice's target from now. Undefined if no person must. */
export type Due = Date | "from-now" | undefined;

/**
 * By when a person must act on a task after these events. A gate's time is set when it opens. Any other need is due
 * from the event that begins it, and keeps that time until an event ends it.
 */
export function dueAfter(
  before: { readonly task: Task; readonly due: Due },
  events: readonly Event[],
  { gateDueAt }: { readonly gateDueAt?: Date | undefined },
): Due {
  return events.reduce(({ task, due }, event) => {
    const next = evolve(task, event);
    if (event.type === "gate.opened") return { task: next, due: gateDueAt };
    if (next.stage.kind === "held" && !next.payer.voided) return { task: next, due };
    const attention = attentionOf(next);
    const goesOn = due !== undefined && attentionOf(task) === attention;
    return { task: next, due: attention && (goesOn ? due : "from-now") };
  }, before).due;
}
