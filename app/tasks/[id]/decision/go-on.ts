import type { z } from "zod";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { DecisionResult } from "#lib/gate/decide-once";
import { noteLateDecisions } from "#lib/person/session/late-decision";
import { currentSession } from "#lib/person/session/person";
import { nowMs } from "#lib/platform/now";
import { ok, type Result } from "#lib/platform/result";
import { nextToDecide } from "#lib/queue/walk";
import type { Refusal } from "#lib/task/refusal";
import type { Possible } from "#lib/task/views";
import { caseAddress, listOf, readCaseAddress } from "../case-address.ts";
import { decideCase, type decision } from "./intents.ts";

/** How long a decision that cannot be undone is still mentioned on the pages after it. */
const mentionedMs = 10_000;

/** The answers at a gate. After every other act the reader stays on the case. */
const answers: readonly Possible[] = ["release", "request-information", "decline"];

/** Carries out a decision. The value is where it leads; undefined where the reader stays on the case. */
export async function decideAndGoOn(
  ctx: Context<PersonActor>,
  posted: z.infer<typeof decision>,
): Promise<Result<string | undefined, Refusal>> {
  const decided = await decideCase(ctx, posted);
  if (!decided.ok) return decided;
  const { intent, taskId, typed } = posted;
  // Back to the request as it is now, without the form that changed it.
  if (intent === "edit") return ok(caseAddress(taskId, readCaseAddress({ list: typed.list })));
  if (!answers.includes(intent)) return ok(undefined);
  // Safe because every answer at a gate is decided by `decideOnce`.
  const { claimableAt, isManual } = decided.value as DecisionResult;
  // Whoever releases a manual submission submits it next.
  if (isManual) return ok(undefined);
  const untilMs = Math.max(claimableAt?.getTime() ?? 0, nowMs() + mentionedMs);
  const { gateId } = typed;
  if (gateId !== undefined) await noteLateDecisions({ places: [{ taskId, gateId }], untilMs });
  if ((await currentSession())?.opensNext === false) return ok(undefined);
  const { list } = readCaseAddress(typed);
  const next = await nextToDecide(ctx, listOf(list), { after: typed.place, but: taskId });
  return ok(next.taskId === undefined ? caseAddress("next", { list }) : caseAddress(next.taskId, { list }));
}
