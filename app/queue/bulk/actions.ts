"use server";

import { refusedAnswer, signedOutAnswer, textOf, textsOf } from "#components/form/act-answer";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { declineCodes } from "#lib/task/model/decline-code";
import type { Result } from "#lib/platform/result";
import type { BulkOutcome, TooMany } from "#lib/queue/bulk";
import { bulkAssign } from "#lib/queue/bulk-assign";
import { bulkDecline } from "#lib/queue/bulk-decline";
import { bulkRelease } from "#lib/queue/bulk-release";
import type { BulkAnswer } from "./answer.ts";
import { readItem, type Item } from "./items.ts";
import { assignedText, declinedText, refusalText, releasedText, type AnyRefusal } from "./outcome-words.ts";

/** Does one thing with several cases, each decided by itself, and says of each what became of it. */
export async function actOnSeveral(_: BulkAnswer, form: FormData): Promise<BulkAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const items = textsOf(form, "item").map(readItem);
  if (!items.every((item) => item !== undefined)) return notUnderstood(form, person);
  const ctx = contextOf(person);
  switch (textOf(form, "act")) {
    case "assign":
      return told(form, person, await bulkAssign(ctx, { items, to: textOf(form, "to") || undefined }), assignedText);
    case "decline":
      return decline(ctx, form, items);
    case "release":
      return told(form, person, await bulkRelease(ctx, { items }), releasedText);
    default:
      return notUnderstood(form, person);
  }
}

async function decline(ctx: Context<PersonActor>, form: FormData, items: readonly Item[]): Promise<BulkAnswer> {
  const chosen = textOf(form, "code");
  const code = declineCodes.find((known) => known === chosen);
  if (chosen !== "" && !code) {
    await noteRefusal("invalid", ctx.actor);
    return refusedAnswer(form, { problems: { code: "Choose one of those shown." } });
  }
  const reason = textOf(form, "reason").trim() || undefined;
  if (reason && reason.length > 4000) {
    await noteRefusal("invalid", ctx.actor);
    return refusedAnswer(form, { problems: { reason: "At most 4000 characters." } });
  }
  if (!reason && (!code || code === "other")) {
    return refusedAnswer(form, { problems: { reason: "Choose a reason above, or write one." } });
  }
  return told(form, ctx.actor, await bulkDecline(ctx, { items, code, reason }), declinedText);
}

async function notUnderstood(form: FormData, person: PersonActor): Promise<BulkAnswer> {
  await noteRefusal("invalid", person);
  return refusedAnswer(form, { alert: "That was not understood. Nothing was done.", problems: {} });
}

async function told<Value>(
  form: FormData,
  person: PersonActor,
  answer: Result<readonly BulkOutcome<Value, AnyRefusal>[], TooMany>,
  doneText: (value: Value) => string,
): Promise<BulkAnswer> {
  if (!answer.ok) {
    await noteRefusal(answer.refusal.type, person);
    const problem = answer.refusal.issues.map((issue) => issue.problem).join(", ");
    return refusedAnswer(form, { alert: `The number of cases ${problem}. Nothing was done.`, problems: {} });
  }
  const rules = new Set(answer.value.flatMap(({ result }) => (result.ok ? [] : [result.refusal.type])));
  for (const rule of rules) await noteRefusal(rule, person);
  const outcomes = answer.value.map(({ taskId, shortId, result }) => ({
    taskId,
    shortId,
    done: result.ok,
    text: result.ok ? doneText(result.value) : refusalText(result.refusal),
  }));
  return { problems: {}, outcomes };
}
