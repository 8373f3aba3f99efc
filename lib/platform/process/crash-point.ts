/**
 * The moments of carrying an action to its payer at which a test kills the worker, in their order. `opened`: the claim
 * is committed and its bytes are proven; `written`: the whole request was handed to the operating system; `answering`:
 * the reply's head has arrived; `recording`: inside the transaction that records the answer.
 */
export const crashPoints = [
  "found",
  "claiming",
  "claimed",
  "opened",
  "starting",
  "started",
  "connected",
  "written",
  "answering",
  "heard",
  "recording",
  "recorded",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

type Armed = { readonly point: CrashPoint; readonly signal: "SIGKILL" | "SIGSTOP" };

let armed: Armed | undefined;

/**
 * Makes this process end at that point as if its machine had lost power, or freeze there until it is continued;
 * `lib/platform/env.ts` refuses both in production.
 */
export function armCrashPoint(next: Armed | undefined): void {
  armed = next;
}

/** Marks a moment; does nothing unless it is the armed one, and strikes once. */
export function crashPoint(point: CrashPoint): void {
  if (point !== armed?.point) return;
  const { signal } = armed;
  armed = undefined;
  process.kill(process.pid, signal);
}
