import type { Action, Motion, Task } from "./task.ts";

/** What became of an action that left for the payer. */
export type SubmissionResult = "received" | "refused" | "not-received" | "unconfirmed";

/** What a change says about the action that was under way before it. */
export type SubmissionOutcome = {
  /** It left with this change known, or in doubt: as `sentAt` says. */
  readonly left: boolean;
  readonly result: SubmissionResult;
};

type Before = { readonly motion: Motion["kind"]; readonly action: Action; readonly started: boolean };

/**
 * What a change tells of a sending; undefined where it tells nothing: it goes
 * on, or nothing left. `answer` is the payer's, as the verb that recorded it
 * calls it.
 */
export function submissionOutcome(
  before: Before,
  { motion, payer }: Task,
  answer: string | undefined,
): SubmissionOutcome | undefined {
  if (answer === "found") return { left: true, result: "unconfirmed" };
  const sending = before.motion === "sending" && before.started;
  if (!sending && before.motion !== "unconfirmed") return undefined;
  const sent = (result: SubmissionResult): SubmissionOutcome => ({ left: sending, result });
  switch (motion.kind) {
    case "sending":
    case "released":
      return undefined;
    case "unconfirmed":
      return { left: sending && answer !== "notSent", result: "unconfirmed" };
    case "held":
      // From sending, a person could not send it; from doubt, the payer has none.
      return sending ? undefined : sent("not-received");
    case "idle":
    case "ended":
      if (answer === "notSent") return undefined;
      if (answer === "rejected") return sent("refused");
      if (before.action === "void") return sent(voidResult(payer));
      // A case that the payer voided meanwhile says nothing about an update that was in flight.
      return sent(payer.voided && answer === "unknown" ? "unconfirmed" : "received");
  }
}

function voidResult({ voided, voidPending }: Task["payer"]): SubmissionResult {
  if (voided === "by-us" || voidPending) return "received";
  return voided === "by-payer" ? "unconfirmed" : "refused";
}
