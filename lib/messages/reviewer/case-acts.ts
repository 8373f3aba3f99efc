const acts: Readonly<Record<string, string>> = {
  "task.opened": "sent the case",
  "task.amended": "sent a new revision",
  "task.edited": "edited the request",
  "task.withdrawn": "withdrew the case",
  "task.adopted": "took ownership of the case",
  "task.attended": "marked it as handled",
  // Only in older entries: cases have assignees since November 25, 2026.
  "case.claimed": "assigned the case to themselves",
  "case.claim-taken-over": "took the case over",
  "case.claim-given-up": "gave up the claim",
  "case.assigned": "assigned the case",
  "case.snoozed": "snoozed the case",
  "case.woken": "woke the case",
  "case.noted": "wrote a note",
  "case.units-recorded": "recorded the units used",
  "void.requested": "requested a void",
  "gate.voted": "released",
  "gate.vote-withdrawn": "withdrew the release",
  "gate.released": "released",
  "gate.auto-released": "released automatically, without a person (test)",
  "gate.declined": "declined",
  "gate.sent-back": "requested information",
  "gate.recalled": "undid the release",
  "gate.expired": "let the request for release expire",
  "gate.re-held": "asked for release again",
  "transmission.claimed": "prepared the submission",
  "transmission.started": "started the submission",
  "transmission.lapsed": "found the submission interrupted",
  "transmission.not-sent": "couldn't submit",
  "transmission.accepted": "submitted; the payer received it",
  "transmission.rejected": "submitted; the payer rejected it",
  "transmission.outcome-unknown": "submitted; it isn't known whether the payer has it",
  "transmission.found": "found that it was submitted before the database was restored",
  "transmission.lost": "found a submission that is not on record",
  "transmission.resolved": "recorded whether the payer has it",
  "payer.decided": "recorded the determination",
  "payer.requested-information": "recorded that the payer requested information",
  "payer.voided": "recorded that the payer voided it",
  "payer.rejected": "recorded that the payer rejected what it had accepted",
  "payer.answered-late": "received a payer answer about a rejected request",
  "payer.void-refused": "recorded that the payer refused the void",
  "payer.requested-contact": "recorded that the payer asks to be contacted",
  "payer.unreadable": "could not read the payer's answer",
  "payer.appeal-terms": "recorded until when and how to appeal",
  "payer.peer-to-peer": "recorded a peer-to-peer review",
  "determination.accepted": "accepted the determination",
};

const actors: Readonly<Record<string, string>> = {
  worker: "The service",
  operator: "An operator",
  channel: "The agent",
};

/** What an entry of a case says was done, as the end of a sentence that begins with the actor. */
export const caseActText = (act: string): string => acts[act] ?? act;

/** Who did it, where it was no person. */
export const caseActorText = (actor: string): string => actors[actor] ?? actor;
