"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text, texts } from "#components/form/form-schema";
import { instantText } from "#components/text/time";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { recallRelease } from "#lib/gate/recall-release";
import { withdrawVote } from "#lib/gate/withdraw-vote";
import { refusalText } from "#lib/messages/reviewer/refusals";
import { bulkRecall } from "#lib/queue/bulk";
import { nowMs } from "#lib/platform/now";
import { undoneInPart } from "#lib/messages/reviewer/bulk";
import { forgetLateDecisions, noteLateDecisions } from "#lib/person/session/late-decision";

const shown = z.object({
  what: text.pipe(z.enum(["recall", "withdraw-vote"])),
  taskId: text,
  key: text.pipe(z.uuid()),
  gateId: text,
  revision: text.pipe(z.coerce.number<string>().int()),
  digest: text,
});

/** Takes back the decision that the bar shows, and opens its case. */
export const takeBack = action(
  shown,
  async (ctx: Context<PersonActor>, { what, taskId, key, gateId, revision, digest }) => {
    const seen = { gateId, revision, digest };
    const undone = await (what === "recall"
      ? recallRelease(ctx, { taskId, gateId, key })
      : withdrawVote(ctx, { taskId, seen, key }));
    if (undone.ok) await forgetLateDecisions();
    return undone;
  },
  {
    done: (_, { taskId }) => `/tasks/${encodeURIComponent(taskId)}`,
    refused: (refusal) => {
      const { title, text: why } = refusalText(refusal, (instant) => instantText(instant, "full", "UTC"));
      return { alert: `${title}. ${why}`, problems: {} };
    },
  },
);

/** How long it is said that some releases could not be undone. */
const mentionedMs = 10_000;

const several = z.object({
  item: texts.pipe(z.array(z.string().regex(/^[0-9a-f-]{36} [0-9a-f-]{36}$/)).min(1)),
});

/** Takes back the releases that the bar shows, as many as still can be, and opens the queue that they are back in. */
export const takeBackSeveral = action(
  several.transform(({ item }) => ({
    items: item.map((one) => ({ taskId: one.slice(0, 36), gateId: one.slice(37) })),
  })),
  async (ctx: Context<PersonActor>, input) => {
    const done = await bulkRecall(ctx, input);
    if (!done.ok) return done;
    // Where some could not be undone, the bar stays to say so.
    if (done.value.every(({ result }) => result.ok)) await forgetLateDecisions();
    else await noteLateDecisions({ places: input.items, untilMs: nowMs() + mentionedMs });
    return done;
  },
  {
    done: (outcomes) => {
      const undone = outcomes.filter(({ result }) => result.ok).length;
      if (undone === outcomes.length) return "/queue";
      return { alert: undoneInPart(undone, outcomes.length), problems: {} };
    },
    refused: () => ({ alert: "That was not understood. Nothing was done.", problems: {} }),
  },
);
