"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { givenText, text, texts } from "#components/form/form-schema";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { noteLateDecisions } from "#lib/person/session/late-decision";
import { noteRefusal } from "#lib/person/session/note-refusal";
import type { Result } from "#lib/platform/result";
import {
  type BulkOutcome,
  type CountProblem,
  type TimeProblem,
  bulkAssign,
  bulkDecline,
  bulkRelease,
  bulkSnooze,
} from "#lib/queue/bulk";
import { snoozeChoices } from "#lib/queue/model/snooze";
import { declineCodes } from "#lib/task/model/decline-code";
import type { BulkAnswer } from "./answer.ts";
import { readItem } from "./items.ts";
import {
  assignedText,
  declinedText,
  refusalText,
  releasedText,
  snoozedText,
  type AnyRefusal,
} from "#lib/messages/reviewer/bulk";
import { snoozeRefusalText } from "#lib/messages/reviewer/refusals";

const items = texts.transform((posted, ctx) => {
  const read = posted.flatMap((one) => readItem(one) ?? []);
  if (read.length < posted.length) ctx.addIssue("That was not understood. Nothing was done.");
  return read;
});

const reasonCharactersMax = 4000;

const declined = z.object({ item: items, code: text, reason: text }).transform((typed, ctx) => {
  const code = declineCodes.find((known) => known === typed.code);
  const reason = typed.reason.trim();
  const refuse = (field: string, message: string) => {
    ctx.addIssue({ code: "custom", path: [field], message });
    return z.NEVER;
  };
  if (typed.code !== "" && !code) return refuse("code", "Choose one of those shown.");
  if (reason.length > reasonCharactersMax) return refuse("reason", `At most ${reasonCharactersMax} characters.`);
  if (reason === "" && !code) return refuse("code", "Select a reason, or enter one below.");
  if (reason === "" && code === "other") return refuse("reason", "Enter a reason.");
  return { items: typed.item, code, reason: reason || undefined };
});

const assigned = z
  .object({ item: items, to: text })
  .transform(({ item, to }) => ({ items: item, to: to || undefined }));

const released = z.object({ item: items }).transform(({ item }) => ({ items: item }));

const snoozed = z
  .object({ item: items, choice: text.pipe(z.enum(snoozeChoices, "must be selected")), at: givenText, zone: text })
  .transform(({ item, ...input }) => ({ items: item, ...input }));

/** Each case is decided by itself, and the page says of each what became of it. */
export const assignSeveral = action(assigned, noted(bulkAssign), telling(assignedText));
export const snoozeSeveral = action(snoozed, noted(bulkSnooze), telling(snoozedText));
export const declineSeveral = action(declined, noted(bulkDecline), telling(declinedText));
export const releaseSeveral = action(released, releasedTogether, telling(releasedText));

type Bulk<Input, Value> = (
  ctx: Context<PersonActor>,
  input: Input,
) => Promise<Result<readonly BulkOutcome<Value, AnyRefusal>[], CountProblem | TimeProblem>>;

/** Released, and mentioned on the pages after it until none of it can be undone. */
async function releasedTogether(ctx: Context<PersonActor>, input: z.infer<typeof released>) {
  const done = await noted(bulkRelease)(ctx, input);
  const undoable = (done.ok ? done.value : []).flatMap(({ taskId, result }) => {
    const gateId = input.items.find((item) => item.taskId === taskId)?.seen.gateId;
    const claimableAt = result.ok && !result.value.isManual ? result.value.claimableAt : undefined;
    return gateId !== undefined && claimableAt ? [{ taskId, gateId, untilMs: claimableAt.getTime() }] : [];
  });
  if (undoable.length > 0)
    await noteLateDecisions({ places: undoable, untilMs: Math.max(...undoable.map(({ untilMs }) => untilMs)) });
  return done;
}

/** The same verb, with a line in the log for each rule that refused one of the cases. */
function noted<Input, Value>(verb: Bulk<Input, Value>): Bulk<Input, Value> {
  return async (ctx, input) => {
    const done = await verb(ctx, input);
    const outcomes = done.ok ? done.value : [];
    const rules = new Set(outcomes.flatMap(({ result }) => (result.ok ? [] : [result.refusal.type])));
    for (const rule of rules) await noteRefusal(rule, ctx.actor);
    return done;
  };
}

function telling<Value>(doneText: (value: Value) => string) {
  return {
    done: (outcomes: readonly BulkOutcome<Value, AnyRefusal>[]): BulkAnswer => ({
      problems: {},
      outcomes: outcomes.map(({ taskId, shortId, result }) => ({
        taskId,
        shortId,
        done: result.ok,
        text: result.ok ? doneText(result.value) : refusalText(result.refusal),
      })),
    }),
    refused: (refusal: CountProblem | TimeProblem) =>
      refusal.type === "no-such-time"
        ? snoozeRefusalText({ type: "invalid" })
        : {
            alert: `The number of cases ${refusal.issues.map(({ problem }) => problem).join(", ")}. Nothing was done.`,
            problems: {},
          },
    // The table above the outcomes stays as it was when they were chosen.
    redraws: false,
  };
}
