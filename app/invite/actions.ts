"use server";

import { z } from "zod";
import { visitorAction } from "#components/form/action";
import { text, yes } from "#components/form/form-schema";
import { linkRefusalText } from "#lib/messages/account";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { acceptLink, openLink, type ChoiceRefusal, type OpenedLink } from "#lib/person/choose-password";
import type { Visitor } from "#lib/person/session/visitor";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { ok, type Result } from "#lib/platform/result";
import type { LinkAnswer } from "./answer.ts";

/** The code itself, or a whole link with it at its end. */
const code = text.transform((typed) => typed.trim().split("#").at(-1) ?? "");

const posted = z.object({ code, chosen: yes, name: text, password: text });

type PostedInvitation = z.infer<typeof posted>;

/** Looks at a link, or chooses the password by it. What was typed as a password is never sent back. */
export const answerLink = visitorAction(posted, openOrAccept, {
  done: (opened, { code: token }): LinkAnswer =>
    opened ? { problems: {}, link: { ...opened, code: token } } : { problems: {}, isDone: true },
  kept,
  refused: (refusal): LinkAnswer => {
    if (refusal.type === "link-over" || refusal.type === "link-gone")
      return { alert: linkRefusalText[refusal.type], problems: {} };
    // The page says so itself.
    return refusal.type === "password-shut" ? { problems: {} } : refusalMessage(refusal);
  },
  secrets: ["code", "password"],
});

/** The person of the link; undefined once their password is chosen. */
async function openOrAccept(
  { store }: Visitor,
  { code: token, chosen, name, password }: PostedInvitation,
): Promise<Result<OpenedLink | undefined, ChoiceRefusal>> {
  if (!chosen) return openLink(store, token);
  const accepted = await acceptLink(store, { token, name, password });
  if (!accepted.ok) return accepted;
  // Whoever comes by a link signs in here next, and no stranger's tries are to be in their way.
  await keepDevice(accepted.value.personId);
  return ok(undefined);
}

/** The link as it stands now, so that another password can be chosen by it. */
async function kept({ code: token }: PostedInvitation, { store }: Visitor): Promise<LinkAnswer> {
  const opened = await openLink(store, token);
  return { problems: {}, ...(opened.ok && { link: { ...opened.value, code: token } }) };
}
