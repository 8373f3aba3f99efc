import type { Role } from "#lib/access/model/actor";
import { knownText } from "#lib/messages/known-text";

export const roleText: Readonly<Record<Role, string>> = { reviewer: "Reviewer", admin: "Admin", auditor: "Auditor" };

const done = {
  invited: "Invited. The link is on its way by mail.",
  roles: "Saved. It holds from their next request on.",
  link: "The link is on its way by mail.",
  closed: "Closed. Every session ended, and nobody signs in with this account.",
  reset: "Taken away. Every session ended; they sign in without a second factor and can add one again.",
  opened: "Open again, with the roles it had.",
  ended: "Ended. The next request of that browser is refused.",
} as const;

/** An act on a person's account, as the address of its page names it once it is done. */
export type PersonDone = keyof typeof done;

export const personDoneText = (act: unknown): string | undefined => knownText(done, act);
