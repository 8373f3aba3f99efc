import { linkHours } from "#lib/person/model/link-hours";
import type { Role } from "#lib/access/model/actor";
import { knownText } from "#lib/messages/known-text";

export const roleText: Readonly<Record<Role, string>> = { reviewer: "Reviewer", admin: "Admin", auditor: "Auditor" };

const done = {
  invited: "Invited. The link is on its way by email.",
  "invited-waiting": "Requested. The invitation is sent once a second admin confirms it.",
  roles: "Roles saved. They take effect on the person's next request.",
  "roles-waiting": "Saved. The admin role awaits a second admin.",
  link: "The link is on its way by email.",
  withdrawn: "Invitation withdrawn. Its link no longer works.",
  deactivated: "Account deactivated. Every session has ended.",
  reset: "Second factor reset. Every session has ended, and the person was told by email.",
  reactivated: "Account active again, with the roles it had.",
  ended: "Session ended.",
  "ended-all": "All sessions ended.",
} as const;

/** An act on a person's account, as the address of its page names it once it is done. */
export type PersonDone = keyof typeof done;

export const personDoneText = (act: unknown): string | undefined => knownText(done, act);

/** How the link of an invitation reaches whom it is for. */
export const invitationLead = (isMailSent: boolean): string =>
  isMailSent
    ? `They get a link by email that works once, within ${linkHours} hours, and choose how they sign in.`
    : `No mail server is set up: you get a link here to pass on to them. It works once, within ${linkHours} hours, and they choose how they sign in.`;
