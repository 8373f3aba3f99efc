"use server";

import { textOf } from "#components/form/act-answer";
import { acceptLink, openLink } from "#lib/person/choose-password";
import { linkRefusalText } from "#lib/messages/account";
import { refusalMessage } from "#lib/messages/admin/refusals";
import { keepDevice } from "#lib/person/sign-in/device-cookie";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { storeForLinks } from "#lib/person/session/person";
import { noLink, type LinkAnswer } from "./answer.ts";

/** Looks at a link, or chooses the password by it. What was typed as a password is never sent back. */
export async function answerLink(_: LinkAnswer, form: FormData): Promise<LinkAnswer> {
  const code = codeIn(textOf(form, "code"));
  const opened = await openLink(storeForLinks(), code);
  if (!opened.ok) await noteRefusal(opened.refusal.type);
  if (!opened.ok) return { ...noLink, alert: linkRefusalText[opened.refusal.type] };
  const shown: LinkAnswer = { ...noLink, ...opened.value, step: "choose", code };
  if (textOf(form, "chosen") !== "yes") return { ...shown, name: "" };
  const name = textOf(form, "name");
  const chosen = await acceptLink(storeForLinks(), { token: code, name, password: textOf(form, "password") });
  if (chosen.ok) {
    // Whoever comes by a link signs in here next, and no stranger's tries are to be in their way.
    await keepDevice(chosen.value.personId);
    return { ...noLink, step: "done" };
  }
  const { refusal } = chosen;
  await noteRefusal(refusal.type);
  if (refusal.type === "link-over" || refusal.type === "link-gone")
    return { ...noLink, alert: linkRefusalText[refusal.type] };
  // The page says so itself.
  if (refusal.type === "password-shut") return shown;
  return { ...shown, name, ...refusalMessage(refusal) };
}

/** The code itself, or a whole link with it at its end. */
function codeIn(text: string): string {
  return text.trim().split("#").at(-1) ?? "";
}
