"use server";

import { refusedAnswer, signedOutAnswer, textOf, textsOf } from "#components/act-answer";
import { contextOf, currentPerson } from "#lib/auth/person";
import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import { declineCodes } from "#lib/domain/decline-code";
import type { Result } from "#lib/domain/result";
import type { BulkOutcome, TooMany } from "#lib/tasks/bulk";
import { bulkAssign } from "#lib/tasks/bulk-assign";
import { bulkDecline } from "#lib/tasks/bulk-decline";
import { bulkRelease } from "#lib/tasks/bulk-release";
import type { BulkAnswer } from "./answer.ts";
import { readItem, type Item } from "./items.ts";
import { assignedText, declinedText, refusalText, releasedText, type AnyRefusal } from "./outcome-words.ts";

/** Does one thing with several cases, each decided by itself, and says of each what became of it. */
export async function actOnSeveral(_: BulkAnswer, form: FormData): Promise<BulkAnswer> {
  const person = await currentPerson();
  if (!person) return signedOutAnswer(form);
  const items = textsOf(form, "item").map(readItem);
  if (!items.every((item) => item !== undefined)) return notUnderstood(form);
  const ctx = contextOf(person);
  switch (textOf(form, "act")) {
    case "assign":
      return told(form, await bulkAssign(ctx, { items, to: textOf(form, "to") || undefined }), assignedText);
    case "decline":
      return decline(ctx, form, items);
    case "release":
      return told(form, await bulkRelease(ctx, { items }), releasedText);
    default:
      return notUnderstood(form);
  }
}

async function decline(ctx: Context<PersonActor>, form: FormData, items: readonly Item[]): Promise<BulkAnswer> {
  const chosen = textOf(form, "code");
  const code = declineCodes.find((known) => known === chosen);
  if (chosen !== "" && !code) return refusedAnswer(form, { problems: { code: "Choose one of those shown." } });
  const reason = textOf(form, "reason").trim() || undefined;
  if (reason && reason.length > 4000) {
    return refusedAnswer(form, { problems: { reason: "At most 4000 characters." } });
  }
  if (!reason && (!code || code === "other")) {
    return refusedAnswer(form, { problems: { reason: "Choose a reason above, or write one." } });
  }
  return told(form, await bulkDecline(ctx, { items, code, reason }), declinedText);
}

function notUnderstood(form: FormData): BulkAnswer {
  return refusedAnswer(form, { alert: "That was not understood. Nothing was done.", problems: {} });
}

function told<Value>(
  form: FormData,
  answer: Result<readonly BulkOutcome<Value, AnyRefusal>[], TooMany>,
  doneText: (value: Value) => string,
): BulkAnswer {
  if (!answer.ok) {
    const problem = answer.refusal.issues.map((issue) => issue.problem).join(", ");
    return refusedAnswer(form, { alert: `The number of cases ${problem}. Nothing was done.`, problems: {} });
  }
  const outcomes = answer.value.map(({ taskId, shortId, result }) => ({
    taskId,
    shortId,
    done: result.ok,
    text: result.ok ? doneText(result.value) : refusalText(result.refusal),
  }));
  return { problems: {}, outcomes };
}
