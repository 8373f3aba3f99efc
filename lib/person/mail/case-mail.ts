import { escapeHtml } from "#lib/platform/http/escape-html";
import { caseMail } from "#lib/messages/mail";
import type { MailKind } from "#lib/person/model/notification";
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
  const kinds = items.map(({ kind }) => kind);
  const why = caseMail.why(kinds, namesOf(items).length);
  // Nothing can be chosen about emergencies.
  const choices = kinds.every((kind) => kind === "emergency") ? [] : [`${publicUrl}/account/notifications`];
  const lead = caseMail.lead(cases.length);
  const text = [lead, "", ...cases.flatMap(({ line, url }) => [`- ${line}`, `  ${url}`]), "", why, ...choices, ""];
  const html = [
    `<p>${lead}</p>`,
    "<ul>",
    ...cases.map(({ line, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(line)}</a></li>`),
    "</ul>",
    `<p>${[why, ...choices.map((url) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`)].join(" ")}</p>`,
  ];
  return {
    to: email,
    subject: subjectOf(items, cases.length),
    text: text.join("\n"),
    html: html.join("\n"),
    messageId: messageIdOf(items, publicUrl),
  };
}

/** What a subject names where a mail is about several: the kind with the lowest rank. */
const ranks: Readonly<Record<MailKind, number>> = {
  ...{ emergency: 1, expiring: 2, gate: 3, "needs-person": 4, mention: 5, assigned: 6, ending: 7 },
};

function subjectOf(items: readonly MailItem[], cases: number): string {
  const kinds = items.map(({ kind }) => kind);
  const subject = caseMail.subject({
    cases,
    practices: namesOf(items),
    kind: kinds.reduce((first, kind) => (ranks[kind] < ranks[first] ? kind : first)),
    isTest: items.every(({ environment }) => environment === "test"),
  });
  return oneLine(subject);
}

/** The names of the practices, each once. */
function namesOf(items: readonly MailItem[]): readonly string[] {
  return [...new Set(items.map(({ practice_name: name }) => name))];
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
  if (item.kind === "needs-person") return caseMail.attention(item.needs_person ?? "", item.state);
  const waiting = {
    action: item.action === "void" ? "void" : item.is_update ? "update" : "request",
    expires: item.expires_at ? { at: item.expires_at, timeZone: item.time_zone } : undefined,
  } as const;
  return caseMail[item.kind](waiting);
}

/** Names are typed by people; a line break in one would begin another line or another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
