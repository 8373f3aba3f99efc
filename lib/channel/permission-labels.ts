import type { Atom } from "#lib/access/model/actor";

/** What each atom opens, in words for whoever grants it. */
export const permissionLabels = {
  prior_auth_intake: {
    text: "Open and amend cases",
    opens: "Sends intakes, and new revisions of a case that is open.",
  },
  prior_auth_void: { text: "Ask for voids", opens: "Asks that a case the payer has be voided. A reviewer decides." },
  tasks_get: { text: "Read cases", opens: "Polls a case for its state, its gate and its determination." },
  tasks_cancel: { text: "Withdraw cases", opens: "Takes back a case the payer does not have yet." },
} as const satisfies Record<Atom, { readonly text: string; readonly opens: string }>;
