import { project, type Event, type Projection } from "./lifecycle/event.ts";
import type { PayerFacts } from "./task.ts";

/** Who says when the payer received a request: itself, a person who carried it, or nobody, so that it is when we heard. */
export type ReceivedBy = "payer" | "person" | "service";

/** When the case the payer holds was sent, received, decided and voided, as far as that is known. */
export type Times = {
  /** Of the first request the payer holds; of a request it refused until the next one leaves. */
  readonly sentAt?: Date | undefined;
  readonly received?: { readonly at: Date; readonly by: ReceivedBy } | undefined;
  /** Of the first determination, by the payer's own clock where it told one. */
  readonly decidedAt?: Date | undefined;
  readonly voidedAt?: Date | undefined;
};

/** What a change learned about times. */
export type LearnedTimes = {
  readonly now: Date;
  /** Something left, at this instant. */
  readonly leftAt?: Date | undefined;
  /** When the payer received the request, by its own word or a person's. */
  readonly received?: { readonly at: Date; readonly by: "payer" | "person" } | undefined;
};

/** The times of a case, with whether its payer had it. */
type Before = Times & Pick<PayerFacts, "payerReceipt">;

/**
 * The times after these events. The first receipt stays, whatever is sent later, for the payer's clock runs from it; only
 * the payer's own word improves on it. What the payer turns out not to have has no receipt. No word of anybody's is taken
 * for later than now, nor for a receipt before the sending.
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
  return {
    sentAt,
    received: known && known.by !== "payer" && stated?.by === "payer" ? stated : known,
    decidedAt: before.decidedAt ?? (first && clamp(first.decidedAt ?? now, undefined, now)),
    voidedAt: before.voidedAt ?? (events.some(isVoided) ? now : undefined),
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

/** What each event says of whether the payer has the case; nothing where it says nothing of it. */
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

function isVoided(event: Event): boolean {
  if (event.type === "payer.voided") return event.counts && event.voided !== undefined;
  return event.type === "transmission.void-accepted" && event.done;
}

function clamp(at: Date, from: Date | undefined, to: Date): Date {
  if (at > to) return to;
  return from && at < from ? from : at;
}
