const second = 1000;
const minute = 60 * second;
/** How long to wait before the next inquiry, by the number of inquiries so far. The last value applies from then on. */
export const pollDelaysMs = [5 * second, 15 * second, minute, 5 * minute, 30 * minute, 60 * minute];

/** When to ask the payer again after `count` inquiries without a result: after 5 s at first, hourly at last. */
export function nextPoll(now: Date, count: number): { at: Date; count: number } {
  const delay = pollDelaysMs[Math.min(count, pollDelaysMs.length - 1)] ?? 60 * minute;
  return { at: new Date(now.getTime() + delay), count: count + 1 };
}

/**
 * When to retry a submission that certainly was not sent, after this many attempts. The payer's own wish takes
 * precedence.
 */
export function nextAttempt(now: Date, attempt: number, { retryAfterMs = 0, isHostAway = false }: Retry = {}): Date {
  const most = isHostAway ? 30 * second : 30 * minute;
  const backoff = Math.min(5 * second * 2 ** Math.max(0, attempt - 1), most);
  return new Date(now.getTime() + Math.max(backoff, retryAfterMs));
}

type Retry = {
  /** What the payer wishes. */
  readonly retryAfterMs?: number | undefined;
  /** The payer's host is tried by one exchange at a time, so that many releases need not wait long. */
  readonly isHostAway?: boolean | undefined;
};

export const noPoll = { at: null, count: 0 } as const;
