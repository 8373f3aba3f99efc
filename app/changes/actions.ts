"use server";

import { z } from "zod";
import { linkAnswer, type ActAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { closeChange, confirmChange } from "#lib/change-request/decide-change";
import type { ChangeDone } from "#lib/messages/admin/changes";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { deliverLink } from "#lib/person/mail/deliver-link";

const request = z.object({ changeId: text }).transform(({ changeId: id }) => ({ id }));

const doneAddress = (done: ChangeDone) => `/changes?done=${done}`;

/** Confirms a change. Where it was an invitation, its link is mailed, or shown this one time. */
export const confirm = action(request, confirmChange, {
  done: async ({ invited }): Promise<string | ActAnswer> => {
    if (!invited) return doneAddress("confirmed");
    const address = await deliverLink({ ...invited, isInvitation: true });
    if (address === undefined) return doneAddress("invited");
    return linkAnswer({ address, email: invited.email, done: doneAddress("confirmed") });
  },
  refused: refusalMessage,
});

/** Rejects a change, or takes back one's own. */
export const close = action(request, closeChange, {
  done: ({ status }) => doneAddress(status),
  refused: refusalMessage,
});
