import type { SingleOnlyReason } from "#lib/queue/bulk-release";
import type { DeskRefusal } from "#lib/task/desk-refusal";
import type { Refusal } from "#lib/task/refusal";

export type AnyRefusal = Refusal | DeskRefusal | SingleOnlyReason;

export const declinedText = () => "declined.";
export const assignedText = (what: "done" | "nothing") => (what === "done" ? "assigned." : "was assigned so already.");
export const releasedText = () => "released.";

const answers: Readonly<Record<string, string>> = {
  release: "released",
  decline: "declined",
  "send-back": "sent back",
};

/** Why one of several cases was left as it is, in half a sentence; its own page says more. */
export function refusalText(refusal: AnyRefusal): string {
  if (refusal.type === "already-decided") {
    return `was ${answers[refusal.answer] ?? refusal.answer} by ${refusal.by} before you.`;
  }
  if (refusal.type === "assigned-meanwhile") {
    return `was assigned to ${refusal.to ?? "nobody"} meanwhile.`;
  }
  return short[refusal.type] ?? "can’t be decided as it stands; its page says why.";
}

const short: Readonly<Partial<Record<AnyRefusal["type"], string>>> = {
  "not-found": "is no longer yours to decide.",
  "not-able": "can’t be assigned to them: they do not review for its practice.",
  "not-opened": "was left: you have not opened it as it is now.",
  "has-warnings": "was left: warnings speak against it. Release it on its own page.",
  "needs-more-people": "was left: it takes more than one person. Release it on its own page.",
  changed: "changed since the list was drawn.",
  stale: "changed since the list was drawn.",
  blocked: "is blocked by a check; its page says which.",
  warned: "was left: warnings speak against it. Release it on its own page.",
  "gate-expired": "waited too long: its gate has expired.",
  "needs-adoption": "has to be adopted first.",
  "owns-channel": "was sent by a channel that you answer for; somebody else has to release it.",
  "released-already": "has your release already.",
  "proof-needed": "asks you to prove again who you are: release it on its own page.",
};
