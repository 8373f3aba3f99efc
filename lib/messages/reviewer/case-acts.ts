const acts: Readonly<Record<string, string>> = {
  "task.opened": "sent the case",
  "task.amended": "sent a new revision",
  "task.withdrawn": "withdrew the case",
  "task.adopted": "adopted the case",
  "task.attended": "saw to what was asked",
  "case.claimed": "claimed the case",
  "case.claim-taken-over": "took the case over",
  "case.claim-given-up": "let the case go",
  "case.assigned": "assigned the case",
  "case.noted": "wrote a note",
  "void.asked": "asked for a void",
  "gate.voted": "released",
  "gate.vote-taken-back": "took the release back",
  "gate.released": "released",
  "gate.declined": "declined",
  "gate.sent-back": "sent it back",
  "gate.recalled": "recalled the release",
  "gate.expired": "closed the gate, which had expired",
  "gate.re-held": "held it again",
  "transmission.claimed": "took it up for sending",
  "transmission.started": "began to send",
  "transmission.lapsed": "found the sending interrupted",
  "transmission.not-sent": "could not send",
  "transmission.accepted": "sent, and the payer has it",
  "transmission.rejected": "sent, and the payer would not take it",
  "transmission.doubted": "sent, and no answer was understood",
  "transmission.found": "found that it was submitted before the database was restored",
  "transmission.lost": "found a submission that is not on record",
  "transmission.settled": "settled what the payer has",
  "payer.decided": "recorded the determination",
  "payer.wants": "recorded that the payer wants more",
  "payer.voided": "recorded that the payer voided it",
  "payer.rejected": "recorded that the payer will not have what it had taken",
  "payer.answered-late": "heard the payer speak of what it had refused",
  "payer.void-refused": "recorded that the payer refused the void",
  "payer.asks-contact": "recorded that the payer asks to be contacted",
  "payer.unreadable": "could not read the payer's answer",
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
