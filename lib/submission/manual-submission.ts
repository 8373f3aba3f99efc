import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { minuteOf, type Delivery } from "#lib/task/model/delivery";
import type { Command } from "#lib/task/model/lifecycle/command";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { gateOf, stateOf, type State } from "#lib/task/model/task";
import { changeTask, practicesOf, type Change, type LoadedTask } from "#lib/task/change";
import { refreeze } from "#lib/task/open-revision";
import type { Refusal } from "#lib/task/refusal";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { holdAgain, preflightFailure } from "./transmission.ts";

type StateResult = Promise<Result<{ state: State }, Refusal>>;
type Manual = { readonly taskId: string; readonly gateId: string };

/**
 * A reviewer takes a released action to submit it manually. The same checks apply as for the worker's claim. If one
 * fails, the action is held again.
 */
export async function startManualSubmission(ctx: Context<PersonActor>, { taskId, gateId }: Manual): StateResult {
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    if (loaded.task.stage.kind !== "released") return notNow(loaded, "claim");
    const objection = await preflightFailure(loaded);
    if (objection) return ok(await holdAgain(loaded, objection));
    const detail = { gateId, gate: loaded.row.gate_digest };
    return ok({ commands: [{ type: "claim", by: "person" }], detail });
  });
}

export type ManualSubmission = Manual & {
  readonly delivery: Delivery;
  /** Who or what received it: a fax number, a person, a portal. */
  readonly to?: string | undefined;
  readonly reference?: string | undefined;
  /** As the person states; now if they do not. */
  readonly sentAt?: Date | undefined;
};

/**
 * Records that the payer has it: a request as submitted, a void as done. The stated time is also the time of receipt,
 * as far as the person knows. Refused as `invalid` if the time is in the future or before the minute of the release.
 */
export async function reportSent(ctx: Context<PersonActor>, sent: ManualSubmission): StateResult {
  const { taskId, gateId, delivery, to, reference } = sent;
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    const { now, released_at: releasedAt } = loaded.row;
    const stated = sent.sentAt ?? now;
    if (stated > now) return refuse(atWrong("sentAt", caseProblems.notFuture));
    if (releasedAt && stated < minuteOf(releasedAt)) return refuse(atWrong("sentAt", caseProblems.notBeforeRelease));
    // A form has no seconds, so the minute of the release counts as no earlier than the release.
    const sentAt = releasedAt && stated < releasedAt ? releasedAt : stated;
    const manualDelivery = { delivery, personId: ctx.actor.id, to };
    return attemptChange(loaded, {
      command: (attempt) => ({ type: "record-acceptance", attempt, reference }),
      detail: { gateId, delivery, sentAt: sentAt.toISOString() },
      writes: {
        answer: "accepted",
        reported: { sentAt, received: { at: sentAt, by: "person" }, reference, manualDelivery },
      },
    });
  });
}

function atWrong(path: string, problem: string): Refusal {
  return { type: "invalid", issues: [{ path, problem }] };
}

const rejection = { type: "record-rejection", correction: "correctable" } as const;

/**
 * Records that the payer rejected it. A first request goes back to the agent; an update or a void leaves the case
 * unchanged.
 */
export async function reportRefused(
  ctx: Context<PersonActor>,
  { taskId, gateId, reason }: Manual & { reason: string },
): StateResult {
  return handChange(ctx, { taskId, gateId }, async (loaded) =>
    attemptChange(loaded, {
      command: (attempt) => ({ ...rejection, attempt, reason, retryAt: loaded.row.now }),
      detail: { gateId },
      writes: { answer: "rejected" },
    }),
  );
}

/**
 * Records that it was not submitted. The action is held again at a new gate, or waits for the agent if the payer connection
 * has come to need more.
 */
export async function reportNotSent(
  ctx: Context<PersonActor>,
  { taskId, gateId, reason }: Manual & { reason: string },
): StateResult {
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    const { stage } = loaded.task;
    if (stage.kind !== "submitting") return notNow(loaded, "give-up-manual-submission");
    const { prepared, missing } = await refreeze(loaded.tx, loaded.row, { action: stage.gate.action });
    const command: Command = { type: "give-up-manual-submission", attempt: stage.attempt, reason };
    return ok({ commands: [command], prepared, missing, detail: { gateId, gate: prepared?.gate.digest ?? null } });
  });
}

async function handChange(
  ctx: Context<PersonActor>,
  { taskId, gateId }: Manual,
  decide: (loaded: LoadedTask) => Promise<Result<Change, Refusal>>,
): StateResult {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async (loaded) => {
    const gate = gateOf(loaded.task);
    if (!gate?.manual || gate.id !== gateId) return refuse({ type: "stale", state: stateOf(loaded.task) });
    return decide(loaded);
  });
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}

type ReportChange = Pick<Change, "detail" | "writes"> & { readonly command: (attempt: number) => Command };

function attemptChange(loaded: LoadedTask, { command, ...reported }: ReportChange): Result<Change, Refusal> {
  const { stage } = loaded.task;
  if (stage.kind !== "submitting") return notNow(loaded, "record-acceptance");
  assert(stage.gate.manual, "only what a person sends is reported by one");
  return ok({ commands: [command(stage.attempt)], ...reported });
}

function notNow({ task }: LoadedTask, command: Command["type"]): Result<never, Refusal> {
  return refuse({ type: "out-of-state", state: stateOf(task), command });
}
