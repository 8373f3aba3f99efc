/**
 * Why a statement acts across practices, and what keeps each to its purpose. A test lists the files that give each
 * reason, so that a new one is noticed.
 */
export const crossings = {
  accounts: "Signing in and changing one's own account: accounts belong to no practice, and roles say which are whose.",
  administration: "Whoever administers or audits anything; each verb compares what it reads with the person's grants.",
  archive: "The worker finds the practices with cases to archive, and does it in each practice's scope.",
  "audit-chains": "The guard of the audit log reads the last entry of every chain, and no content.",
  demo: "The demo fills an empty database.",
  "denied-calls": "Why a call was denied may lie in a practice the channel does not reach; ids and rules only.",
  "denied-cases": "Whether an id that somebody was refused is a case or a channel at all; of a channel its practices.",
  "due-work": "The worker finds what is due as ids and practice, and does it in that practice's scope.",
  figures: "How much waits in all, as numbers by state and age; no row of any practice.",
  mail: "One mail tells a person of all their practices; it names cases by id and nothing of a patient.",
  operator: "Whoever has the machine's own access, at the command line.",
  "own-grants": "A session's own roles, which say the practices of everything after it.",
  "payer-notification": "The practice of a payer's notification is that of the address it came to.",
  reports: "The worker finds the practices whose reports are to be added up, and does it in each practice's scope.",
  search: "The worker finds the practices with cases to make findable, and does it in each practice's scope.",
  tests: "Tests and measurements read what was written, whoever it belongs to.",
} as const;

export type CrossingReason = keyof typeof crossings;
