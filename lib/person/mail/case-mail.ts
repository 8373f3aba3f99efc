import { caseMail } from "#lib/messages/mail";
import type { DueMail, MailItem } from "#lib/person/store/mail-outbox";
import { shortIdOf } from "#lib/task/model/short-id";
import { type MailMessage, messageIdOf } from "./mailer.ts";

/**
 * The mail that lists these cases: practice, what waits, short id and a link to
 * the case. It holds nothing of a patient, a payer or a decision, and no link
 * that acts.
 */
export function composeCaseMail({ email, items }: DueMail, publicUrl: string): MailMessage {
  const cases = [...Map.groupBy(items, ({ task_id }) => task_id).values()].map((about) => caseLine(about, publicUrl));
  const account = `${publicUrl}/account`;
  const lead = caseMail.lead(cases.length);
  const text = [
    lead,
    "",
    ...cases.flatMap(({ line, url }) => [`- ${line}`, `  ${url}`]),
    "",
    caseMail.why,
    account,
    "",
  ];
  const html = [
    `<p>${lead}</p>`,
    "<ul>",
    ...cases.map(({ line, url }) => `<li><a href="${escaped(url)}">${escaped(line)}</a></li>`),
    "</ul>",
    `<p>${caseMail.why} <a href="${escaped(account)}">${escaped(account)}</a></p>`,
  ];
  return {
    to: email,
    subject: subjectOf(items, cases.length),
    text: text.join("\n"),
    html: html.join("\n"),
    messageId: messageIdOf(items, publicUrl),
  };
}

/** What a subject names first, where a mail is about several. */
const subjectKinds = ["emergency", "expiring", "gate", "needs-person", "mention", "assigned", "ending"] as const;

function subjectOf(items: readonly MailItem[], cases: number): string {
  const kinds = new Set(items.map(({ kind }) => kind));
  const subject = caseMail.subject({
    cases,
    practices: [...new Set(items.map(({ practice_name: name }) => name))],
    kind: subjectKinds.find((kind) => kinds.has(kind)) ?? "needs-person",
    isTest: items.every(({ environment }) => environment === "test"),
  });
  return oneLine(subject);
}

type Line = { readonly line: string; readonly url: string };

function caseLine(about: readonly MailItem[], publicUrl: string): Line {
  const [first] = about;
  if (!first) return { line: "", url: publicUrl };
  const line = caseMail.line({
    shortId: shortIdOf(first.task_id),
    practice: first.practice_name,
    isUrgent: first.urgent,
    isTest: first.environment === "test",
    reasons: [...new Set(about.map(reasonOf))],
  });
  // Whoever administers cannot open the case itself.
  const isEmergency = about.some(({ kind }) => kind === "emergency");
  return { line: oneLine(line), url: isEmergency ? `${publicUrl}/emergency` : `${publicUrl}/tasks/${first.task_id}` };
}

const plainKinds = ["assigned", "mention", "ending", "emergency"] as const;

/** Of these the mail says always the same. */
function isPlain(kind: MailItem["kind"]): kind is (typeof plainKinds)[number] {
  return plainKinds.some((plain) => plain === kind);
}

function reasonOf(item: MailItem): string {
  if (isPlain(item.kind)) return caseMail[item.kind];
  if (item.kind === "needs-person") return caseMail.attention(item.needs_person ?? "");
  const waiting = {
    action: item.action === "void" ? "void" : item.is_update ? "update" : "request",
    expires: item.expires_at ? { at: item.expires_at, timeZone: item.time_zone } : undefined,
  } as const;
  return item.kind === "expiring" ? caseMail.expiring(waiting) : caseMail.held(waiting);
}

/** Names are typed by people; a line break in one would begin another line or another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}
