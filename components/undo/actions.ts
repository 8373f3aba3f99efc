"use server";

import { z } from "zod";
import { action } from "#components/form/action";
import { text } from "#components/form/form-schema";
import { instantText } from "#components/text/time";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { recallRelease } from "#lib/gate/recall-release";
import { withdrawVote } from "#lib/gate/withdraw-vote";
import { refusalText } from "#lib/messages/reviewer/refusals";
import { forgetLateDecision } from "#lib/person/session/late-decision";

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
    if (undone.ok) await forgetLateDecision();
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
