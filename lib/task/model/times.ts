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

type Before = Times & Pick<PayerFacts, "payerReceipt">;

/**
 * The times after a change. The first receipt stays, whatever is sent later, for
 * the payer's clock runs from it; only the payer's own word improves on it. What
 * the payer turns out not to have has no receipt. No word of anybody's is taken
 * for later than now, nor for a receipt before the sending.
 */
export function timesAfter(before: Before, after: PayerFacts, { now, leftAt, received }: LearnedTimes): Times {
  const sentAt = before.payerReceipt === "no" ? (leftAt ?? before.sentAt) : (before.sentAt ?? leftAt);
  const within = (at: Date) => clamp(at, sentAt, now);
  const told = received && { at: within(received.at), by: received.by };
  return {
    sentAt,
    received: after.payerReceipt === "no" ? undefined : receiptAfter(before, after, told ?? { at: now, by: "service" }),
    decidedAt:
      before.decidedAt ??
      (after.determination ? clamp(after.determination.decidedAt ?? now, undefined, now) : undefined),
    voidedAt: before.voidedAt ?? (after.voided ? now : undefined),
  };
}

function receiptAfter({ received }: Before, { payerReceipt }: PayerFacts, told: NonNullable<Times["received"]>) {
  if (received) return received.by !== "payer" && told.by === "payer" ? told : received;
  return payerReceipt === "yes" ? told : undefined;
}

function clamp(at: Date, from: Date | undefined, to: Date): Date {
  if (at > to) return to;
  return from && at < from ? from : at;
}
