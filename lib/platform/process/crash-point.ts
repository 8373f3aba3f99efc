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

type CrashPlan = { readonly point: CrashPoint; readonly signal: "SIGKILL" | "SIGSTOP" };

/**
 * What the worker calls at each of these moments. At the one that is set, this process ends as if its machine had lost
 * power, or stops until it is continued, and it does so once; `lib/platform/env.ts` refuses both in production.
 */
export function crashAt({ point: at, signal }: CrashPlan): (point: CrashPoint) => void {
  let isArmed = true;
  return (point) => {
    if (point !== at || !isArmed) return;
    isArmed = false;
    process.kill(process.pid, signal);
  };
}
