/**
 * The moments of a submission at which a test kills the worker, in order. `opened`: the claim is committed and its bytes are
 * verified; `written`: the operating system has the whole request; `answering`: the head of the reply has arrived;
 * `recording`: inside the transaction that records the answer.
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
  "received",
  "recording",
  "recorded",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

type Armed = { readonly point: CrashPoint; readonly signal: "SIGKILL" | "SIGSTOP" };

let armed: Armed | undefined;

/**
 * Makes this process end at that point as if its machine had lost power, or stop there until it is continued;
 * `lib/platform/env.ts` refuses both in production.
 */
export function armCrashPoint(next: Armed | undefined): void {
  armed = next;
}

/** Marks a moment; takes effect once, and only at the armed one. */
export function crashPoint(point: CrashPoint): void {
  if (point !== armed?.point) return;
  const { signal } = armed;
  armed = undefined;
  process.kill(process.pid, signal);
}
