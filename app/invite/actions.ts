"use server";

import { textOf } from "#components/act-answer";
import { acceptLink, openLink } from "#lib/admin/choose-password";
import { refusalWords } from "#lib/admin/refusal-words";
import { storeForLinks } from "#lib/auth/person";
import { noLink, type LinkAnswer } from "./answer.ts";

const over = "This link has ended: it works for 72 hours. Ask your administrator for another.";
const gone =
  "This link does not work any more. It was used, withdrawn, or a newer one was sent. Look for a newer mail, or ask your administrator for another.";

/** Looks at a link, or chooses the password by it. What was typed as a password is never sent back. */
export async function answerLink(_: LinkAnswer, form: FormData): Promise<LinkAnswer> {
  const code = codeIn(textOf(form, "code"));
  const opened = await openLink(storeForLinks(), code);
  if (!opened.ok) return { ...noLink, alert: opened.refusal.type === "link-over" ? over : gone };
  const shown: LinkAnswer = { ...noLink, ...opened.value, step: "choose", code };
  if (textOf(form, "chosen") !== "yes") return { ...shown, name: "" };
  const name = textOf(form, "name");
  const chosen = await acceptLink(storeForLinks(), { token: code, name, password: textOf(form, "password") });
  if (chosen.ok) return { ...noLink, step: "done" };
  const { refusal } = chosen;
  if (refusal.type === "link-over" || refusal.type === "link-gone")
    return { ...noLink, alert: refusal.type === "link-over" ? over : gone };
  return { ...shown, name, ...refusalWords(refusal) };
}

/** The code itself, or a whole link with it at its end. */
function codeIn(text: string): string {
  return text.trim().split("#").at(-1) ?? "";
}
