"use server";

import { z } from "zod";
import { linkAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text, texts, yes } from "#components/form/form-schema";
import { grantOf } from "#components/text/grant-text";
import type { PersonDone } from "#lib/messages/admin/person";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { changeGrants } from "#lib/person/change-grants";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { endSessions } from "#lib/person/end-sessions";
import { deliverLink } from "#lib/person/mail/deliver-link";
import { renewLink } from "#lib/person/renew-link";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { withdrawInvitation } from "#lib/person/withdraw-invitation";
import { personPath, type PersonTab } from "./paths.ts";

const person = z.object({ personId: text }).transform(({ personId: id }) => ({ id }));

/** Only what was ticked or unticked since the page was drawn. */
const changedRoles = z
  .object({ personId: text, held: texts, roles: texts })
  .transform(({ personId: id, held, roles }) => ({
    id,
    add: roles.filter((role) => !held.includes(role)).map(grantOf),
    remove: held.filter((role) => !roles.includes(role)).map(grantOf),
  }));

export const setRoles = action(changedRoles, changeGrants, {
  done: ({ awaiting }, { id }) => doneAt(id, awaiting === undefined ? "roles" : "roles-waiting", "roles"),
  refused: refusalMessage,
});

export const deactivate = action(person, disablePerson, returning("deactivated"));

export const reactivate = action(person, enablePerson, returning("reactivated"));

export const resetFactors = action(person, resetSecondFactor, returning("reset"));

const session = z
  .object({ personId: text, sessionId: text })
  .transform(({ personId, sessionId }) => ({ id: personId, personId, sessionId: sessionId || undefined }));

/** Ends the session the form names, or all. */
export const endSession = action(session, endSessions, {
  done: (_, { id, sessionId }) => doneAt(id, sessionId === undefined ? "ended-all" : "ended", "sessions"),
  refused: refusalMessage,
});

export const withdraw = action(person, withdrawInvitation, {
  done: () => "/people?done=withdrawn",
  refused: refusalMessage,
});

const linked = z
  .object({ personId: text, isInvitation: yes })
  .transform(({ personId: id, isInvitation }) => ({ id, isInvitation }));

/** Gives a new link, mailed or shown this one time. */
export const sendLink = action(linked, renewLink, {
  done: async (renewed, { isInvitation }) => {
    const address = await deliverLink({ ...renewed, isInvitation });
    if (address === undefined) return doneAt(renewed.id, "link");
    return linkAnswer({ address, email: renewed.email, done: personPath(renewed.id) });
  },
  refused: refusalMessage,
});

/** Goes back to the person's page, which says that it was done. */
function returning(done: PersonDone) {
  return { done: (_: unknown, { id }: { readonly id: string }) => doneAt(id, done), refused: refusalMessage };
}

function doneAt(id: string, done: PersonDone, tab?: PersonTab): string {
  return `${personPath(id, tab)}?done=${done}`;
}
