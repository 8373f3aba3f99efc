import { outcomeText } from "./case.ts";
import type { Outcome } from "#lib/task/model/task";

type Entry = { readonly act: string; readonly detail: Readonly<Record<string, unknown>> };

/** How a step looks: done, in favor, against, waiting for somebody, or still to come. */
export type StepTone = "plain" | "good" | "bad" | "warn" | "next";

type Step = { readonly text: string; readonly tone: StepTone };

const steps: Readonly<Record<string, Step>> = {
  "task.opened": { text: "Received", tone: "plain" },
  "task.amended": { text: "New revision", tone: "plain" },
  "task.edited": { text: "Edited by a reviewer", tone: "plain" },
  "task.withdrawn": { text: "Withdrawn", tone: "plain" },
  "void.asked": { text: "Void requested", tone: "warn" },
  "gate.voted": { text: "Released, more needed", tone: "plain" },
  "gate.released": { text: "Released", tone: "plain" },
  "gate.declined": { text: "Declined", tone: "bad" },
  "gate.sent-back": { text: "Information requested", tone: "warn" },
  "gate.recalled": { text: "Release undone", tone: "warn" },
  "gate.expired": { text: "Expired", tone: "warn" },
  "transmission.accepted": { text: "Submitted", tone: "plain" },
  "transmission.rejected": { text: "Payer rejected", tone: "bad" },
  "transmission.doubted": { text: "Submission status unknown", tone: "warn" },
  "transmission.settled": { text: "Submission status recorded", tone: "plain" },
  "payer.wants": { text: "Pended: information requested", tone: "warn" },
  "payer.decided": { text: "Determined", tone: "good" },
  "payer.voided": { text: "Voided", tone: "plain" },
  "payer.rejected": { text: "Payer rejected", tone: "bad" },
  "payer.void-refused": { text: "Payer refused the void", tone: "bad" },
  "payer.asks-contact": { text: "Payer asks to be contacted", tone: "warn" },
};

/** What a step of a case's timeline says; undefined for what only the history has. */
export function timelineStep({ act, detail: { outcome } }: Entry): Step | undefined {
  if (act === "payer.decided" && isOutcome(outcome)) return { text: outcomeText(outcome), tone: tones[outcome] };
  return Object.hasOwn(steps, act) ? steps[act] : undefined;
}

const tones: Readonly<Record<Outcome, StepTone>> = {
  approved: "good",
  modified: "warn",
  "partially-approved": "warn",
  denied: "bad",
  "not-required": "good",
};

function isOutcome(value: unknown): value is Outcome {
  return typeof value === "string" && Object.hasOwn(tones, value);
}
