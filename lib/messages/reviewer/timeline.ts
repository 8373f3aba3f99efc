import type { Act } from "#lib/task/model/lifecycle/event";
import type { Outcome } from "#lib/task/model/task";
import { outcomeText } from "#lib/messages/labels/codes";

type Entry = { readonly act: string; readonly detail: Readonly<Record<string, unknown>> };

/** How a step looks: done, in favor, against, waiting for somebody, or still to come. */
export type StepTone = "plain" | "good" | "bad" | "warn" | "next";

type Step = { readonly text: string; readonly tone: StepTone };

/** What is under way at the time: the first request, an update of it, or its void. */
type SubmissionKind = "request" | "update" | "void";

type StepTexts = Step | Readonly<Record<SubmissionKind, Step>>;

const plain = (text: string): Step => ({ text, tone: "plain" });
const warn = (text: string): Step => ({ text, tone: "warn" });
const bad = (text: string): Step => ({ text, tone: "bad" });

const steps: Readonly<Partial<Record<Act, StepTexts>>> = {
  "task.opened": plain("Received"),
  "task.amended": plain("New revision"),
  "task.edited": plain("Edited by a reviewer"),
  "task.withdrawn": plain("Withdrawn"),
  "void.requested": warn("Void requested"),
  "gate.voted": plain("Released, more needed"),
  "gate.released": {
    request: plain("Released"),
    update: plain("Update released"),
    void: plain("Void released"),
  },
  "gate.auto-released": plain("Released automatically (test)"),
  "gate.declined": { request: bad("Declined"), update: bad("Update declined"), void: bad("Void declined") },
  "gate.sent-back": warn("Information requested"),
  "gate.recalled": warn("Release undone"),
  "gate.expired": warn("Expired"),
  "gate.re-held": warn("Held again, not submitted"),
  "transmission.accepted": {
    request: plain("Submitted"),
    update: plain("Update submitted"),
    void: plain("Void submitted"),
  },
  "transmission.rejected": bad("Payer rejected"),
  "transmission.outcome-unknown": {
    request: warn("Submission status unknown"),
    update: warn("Submission status unknown"),
    void: warn("Void status unknown"),
  },
  "transmission.resolved": {
    request: plain("Submission status recorded"),
    update: plain("Submission status recorded"),
    void: plain("Void status recorded"),
  },
  "transmission.found": plain("Found submitted"),
  "transmission.lost": warn("Submission not on record"),
  "payer.decided": { text: "Determined", tone: "good" },
  "payer.requested-information": warn("Pended: information requested"),
  "payer.voided": plain("Voided"),
  "payer.rejected": bad("Payer rejected"),
  "payer.void-refused": bad("Payer refused the void"),
  "payer.requested-contact": warn("Payer asks to be contacted"),
};

/** The steps of a case's timeline, each with its entry; without those that only the history has. */
export function timelineSteps<One extends Entry>(history: readonly One[]): readonly (One & Step)[] {
  let kind: SubmissionKind = "request";
  let isSubmitted = false;
  return history.flatMap((entry) => {
    const { act } = entry;
    if (act === "void.requested") kind = "void";
    if ((act === "task.amended" || act === "task.edited") && isSubmitted) kind = "update";
    if (act === "transmission.accepted" || act === "transmission.found") isSubmitted = true;
    const step = stepOf(entry, kind);
    // Once a void has come to nothing, what is released next is the request again.
    if (kind === "void" && (act === "gate.declined" || act === "payer.void-refused")) kind = "request";
    return step ? [{ ...entry, ...step }] : [];
  });
}

function stepOf({ act, detail: { outcome } }: Entry, kind: SubmissionKind): Step | undefined {
  if (act === "payer.decided" && isOutcome(outcome)) return { text: outcomeText(outcome), tone: tones[outcome] };
  // Safe because only acts of the product have a step.
  const known = Object.hasOwn(steps, act) ? steps[act as Act] : undefined;
  return known && ("text" in known ? known : known[kind]);
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
