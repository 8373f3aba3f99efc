import { nearHours } from "#lib/queue/model/snooze";
import type { SingleOnlyReason } from "#lib/queue/bulk";
import type { SnoozeRefusal } from "#lib/queue/snooze-case";
import type { DeskRefusal } from "#lib/task/desk-refusal";
import type { Refusal } from "#lib/task/refusal";

export type AnyRefusal = Refusal | DeskRefusal | SingleOnlyReason | SnoozeRefusal;

export const declinedText = () => "declined.";
export const assignedText = (what: "done" | "nothing") =>
  what === "done" ? "assigned." : "was already assigned this way.";
export const snoozedText = () => "snoozed.";
export const releasedText = () => "released.";

/** Where not every one of several releases could be undone. */
export const undoneInPart = (done: number, all: number) =>
  `${done === 0 ? "None" : done} of ${all} releases ${done === 1 ? "was" : "were"} undone. The rest can no longer be.`;

const answers: Readonly<Record<string, string>> = {
  release: "released",
  decline: "declined",
  "send-back": "returned with a request for information",
};

/** Why one of several cases was left as it is, in half a sentence; its own page says more. */
export function refusalText(refusal: AnyRefusal): string {
  if (refusal.type === "already-decided") {
    const { answer, by, isOwn } = refusal;
    return `was ${answers[answer] ?? answer} by ${isOwn ? "you earlier" : `${by} before you`}.`;
  }
  if (refusal.type === "snoozed-meanwhile") return `was snoozed by ${refusal.by} while this page was open.`;
  if (refusal.type === "assigned-meanwhile") {
    return `was ${refusal.to === undefined ? "unassigned" : `assigned to ${refusal.to}`} while this page was open.`;
  }
  return short[refusal.type] ?? "can't be decided now. Its page says why.";
}

const short: Readonly<Partial<Record<AnyRefusal["type"], string>>> = {
  "not-found": "is no longer yours to decide.",
  near: `is due within ${nearHours} hours, so it can't be snoozed.`,
  "nothing-to-do": "needs no action here, so there is nothing to snooze.",
  "changed-meanwhile": "changed after the list was loaded.",
  "not-able": "can't be assigned to this person, who isn't a reviewer of its practice.",
  "not-opened": "was skipped: you have not opened its current version.",
  "has-warnings": "was skipped because it has warnings. Release it on its own page.",
  "needs-more-people": "was skipped because it needs more than one release. Release it on its own page.",
  changed: "changed after the list was loaded.",
  stale: "changed after the list was loaded.",
  blocked: "is blocked by a check; its page says which.",
  warned: "was skipped because it has warnings. Release it on its own page.",
  "gate-expired": "expired before it was released.",
  "needs-adoption": "has no owner. Take ownership first.",
  "owns-channel": "was sent by a channel that you own. Another reviewer must release it.",
  "edited-it": "was edited by you. Other reviewers must release it.",
  "released-already": "already has your release.",
  "proof-needed": "requires you to verify your identity. Release it on its own page.",
};
