"use server";

import { headers } from "next/headers";
import { noAnswer } from "#components/form/act-answer";
import { action } from "#components/form/action";
import { instantText } from "#components/text/time";
import { refusalText } from "#lib/messages/reviewer/refusals";
import { reviewTask } from "#lib/task/review-task";
import type { DecisionAnswer } from "./answer.ts";
import { decideAndGoOn } from "./go-on.ts";
import { decision } from "./intents.ts";

/** Carries out one decision. All of a case share the action, so that its answer outlives the form that asked. */
export const decide = action(decision, decideAndGoOn, {
  done: async (next, { taskId }) => next ?? ((await isOfScript()) ? noAnswer : `/tasks/${encodeURIComponent(taskId)}`),
  refused: async (refusal, { taskId, zone }, ctx): Promise<DecisionAnswer> => {
    const { title, text, changes, problems } = refusalText(refusal, (instant) =>
      instantText(instant, "full", zone ?? "UTC"),
    );
    const stands = await reviewTask(ctx, { taskId });
    const caseChangedAt = stands.ok ? stands.value.changedAt.toISOString() : undefined;
    return { title, alert: text, changes, caseChangedAt, problems };
  },
});

/**
 * Whether the page itself sends this and draws itself anew in place. A form sent without JavaScript is answered with
 * a page of its own instead, so that loading that one again sends nothing.
 */
async function isOfScript(): Promise<boolean> {
  return (await headers()).has("next-action");
}
