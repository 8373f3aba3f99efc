import { attentionReasons } from "./attention-reasons.ts";
import type { DueMail, MailItem } from "#lib/person/store/mail-outbox";
import { shortIdOf } from "#lib/task/model/short-id";
import type { Letter } from "./mailer.ts";

/**
 * The letter that tells of these cases: practice, what waits, a short id and a
 * link to the case. Nothing of a patient, a payer or a decision, and no link
 * that does anything.
 */
export function letterOf({ email, items }: DueMail, publicUrl: string): Letter {
  const cases = [...Map.groupBy(items, ({ task_id }) => task_id).values()].map((about) => aboutCase(about, publicUrl));
  const one = cases.length === 1;
  const subject = oneLine(subjectOf(items, cases.length));
  const account = `${publicUrl}/account`;
  const lead = one ? "This case waits for a reviewer:" : "These cases wait for a reviewer:";
  const why = "You are told because you review for this practice. How you are told, you choose here:";
  const text = [lead, "", ...cases.flatMap(({ line, url }) => [`- ${line}`, `  ${url}`]), "", why, account, ""];
  const html = [
    `<p>${lead}</p>`,
    "<ul>",
    ...cases.map(({ line, url }) => `<li><a href="${escaped(url)}">${escaped(line)}</a></li>`),
    "</ul>",
    `<p>${why} <a href="${escaped(account)}">${escaped(account)}</a></p>`,
  ];
  return { to: email, subject, text: text.join("\n"), html: html.join("\n"), messageId: messageIdOf(items, publicUrl) };
}

function subjectOf(items: readonly MailItem[], count: number): string {
  const practices = [...new Set(items.map(({ practice_name: name }) => name))];
  const kinds = new Set(items.map(({ kind }) => kind));
  const test = items.every(({ environment }) => environment === "test") ? "[TEST] " : "";
  const where = practices.length === 1 ? ` at ${practices[0]}` : ` at ${practices.length} practices`;
  if (count > 1) return `${test}${count} cases wait${where}`;
  if (kinds.has("expiring")) return `${test}A case is about to expire${where}`;
  return kinds.has("gate") ? `${test}A case waits${where}` : `${test}A case needs a person${where}`;
}

type Line = { readonly line: string; readonly url: string };

function aboutCase(about: readonly MailItem[], publicUrl: string): Line {
  const [first] = about;
  if (!first) return { line: "", url: publicUrl };
  const what = [...new Set(about.map(whatWaits))].join("; ");
  const marks = [first.urgent && "urgent", first.environment === "test" && "TEST"].filter(Boolean).join(", ");
  const line = `${shortIdOf(first.task_id)}, ${first.practice_name}${marks === "" ? "" : ` (${marks})`}: ${what}`;
  return { line: oneLine(line), url: `${publicUrl}/tasks/${first.task_id}` };
}

function whatWaits(item: MailItem): string {
  if (item.kind === "needs-person") return attentionReasons(item.needs_person ?? "");
  const action = item.action === "void" ? "a void" : item.is_update ? "an update" : "a request";
  const until = item.expires_at ? `, open until ${timeText(item.expires_at, item.time_zone)}` : "";
  return item.kind === "expiring" ? `${action} expires within a day${until}` : `${action} waits for release${until}`;
}

function timeText(at: Date, timeZone: string): string {
  const parts = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-US", { ...parts, timeZone, timeZoneName: "short" }).format(at);
}

/** The first thing told and its host: every attempt at it has the same id. */
function messageIdOf([first]: readonly MailItem[], publicUrl: string): string {
  return `<${first?.id ?? ""}@${new URL(publicUrl).hostname}>`;
}

/** Names are people's; a line break in one would begin another line, or another header. */
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
