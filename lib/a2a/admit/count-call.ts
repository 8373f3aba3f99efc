import { instruments } from "#lib/platform/metrics/instruments";

/** What is counted of an answered call. A method that is not served and a call without a fault have none. */
export type AnsweredFigures = {
  readonly method: string | undefined;
  readonly fault: string | undefined;
  readonly ms: number;
};

/** Counts an answered call in the metrics of this process. */
export function countCall({ method = "none", fault = "none", ms }: AnsweredFigures): void {
  const { calls, callSeconds } = instruments();
  calls.inc({ method, fault });
  callSeconds.observe({ method }, ms / 1_000);
}
