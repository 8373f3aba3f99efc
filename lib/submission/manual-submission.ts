import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { minuteOf, type Delivery } from "#lib/task/model/delivery";
import type { Event } from "#lib/task/model/event";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { gateOf, stateOf, type State } from "#lib/task/model/task";
import { changeTask, practicesOf, type Change, type LoadedTask } from "#lib/task/change";
import { refreeze } from "#lib/task/open-revision";
import type { Refusal } from "#lib/task/refusal";
import { holdAgain, preflightFailure } from "./transmission.ts";

type Done = Promise<Result<{ state: State }, Refusal>>;
type ByHand = { readonly taskId: string; readonly gateId: string };

/**
 * A reviewer takes a released action to send it themselves. The same checks as
 * the worker's claim apply; where they fail the action is held again.
 */
export async function startManualSubmission(ctx: Context<PersonActor>, { taskId, gateId }: ByHand): Done {
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    if (loaded.task.motion.kind !== "released") return notNow(loaded, "claimed");
    const objection = await preflightFailure(loaded);
    if (objection) return holdAgain(loaded, objection);
    const detail = { gateId, gate: loaded.row.gate_digest };
    return ok({ events: [{ type: "claimed", by: "person", at: loaded.row.now }], act: "transmission.claimed", detail });
  });
}

export type ManualSubmission = ByHand & {
  readonly delivery: Delivery;
  /** Whom or what it was handed to: a fax number, a person, a portal. */
  readonly to?: string | undefined;
  readonly reference?: string | undefined;
  /** As the person says; now where they do not. */
  readonly sentAt?: Date | undefined;
};

/**
 * It is with the payer: a transmission is recorded as sent, a void as done.
 * What was handed over at a certain time was received then, as far as the person knows.
 * Refused as `invalid` for an instant to come, or one before the minute of the release.
 */
export async function reportSent(ctx: Context<PersonActor>, sent: ManualSubmission): Done {
  const { taskId, gateId, delivery, to, reference } = sent;
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    const { now, released_at: releasedAt } = loaded.row;
    const said = sent.sentAt ?? now;
    if (said > now) return refuse(atWrong("sentAt", "must not be in the future"));
    if (releasedAt && said < minuteOf(releasedAt)) return refuse(atWrong("sentAt", "must not be before the release"));
    // A form knows no seconds: the minute of the release is no earlier than the release itself.
    const sentAt = releasedAt && said < releasedAt ? releasedAt : said;
    const carried = { delivery, personId: ctx.actor.id, to };
    return attemptChange(loaded, {
      event: (attempt) => ({ type: "accepted", attempt, reference }),
      act: "transmission.accepted",
      detail: { gateId, delivery, sentAt: sentAt.toISOString() },
      writes: { answer: "accepted", told: { sentAt, received: { at: sentAt, by: "person" }, reference, carried } },
    });
  });
}

function atWrong(path: string, problem: string): Refusal {
  return { type: "invalid", issues: [{ path, problem }] };
}

/** The payer would not have it: a first transmission goes back to the agent, an update or void leaves the case as it is. */
export async function reportRefused(
  ctx: Context<PersonActor>,
  { taskId, gateId, reason }: ByHand & { reason: string },
): Done {
  return handChange(ctx, { taskId, gateId }, async (loaded) =>
    attemptChange(loaded, {
      event: (attempt) => ({ type: "rejected", attempt, correction: "correctable", reason, retryAt: loaded.row.now }),
      act: "transmission.rejected",
      detail: { gateId },
      writes: { answer: "rejected" },
    }),
  );
}

/** It did not leave: the action is held again at a new gate. */
export async function reportNotSent(
  ctx: Context<PersonActor>,
  { taskId, gateId, reason }: ByHand & { reason: string },
): Done {
  return handChange(ctx, { taskId, gateId }, async (loaded) => {
    const { motion } = loaded.task;
    if (motion.kind !== "sending") return notNow(loaded, "could-not-send");
    const { gate, frozen } = await refreeze(loaded, loaded.row, { action: motion.gate.action });
    if (!gate)
      return refuse({
        type: "changed",
        changes: [],
        why: "The route to the payer now needs more than this revision holds.",
      });
    const event: Event = { type: "could-not-send", attempt: motion.attempt, reason, gate };
    return ok({ events: [event], act: "transmission.not-sent", detail: { gateId, gate: gate.digest }, frozen });
  });
}

async function handChange(
  ctx: Context<PersonActor>,
  { taskId, gateId }: ByHand,
  decide: (loaded: LoadedTask) => Promise<Result<Change, Refusal>>,
): Done {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, async (loaded) => {
    const gate = gateOf(loaded.task);
    if (!gate?.byHand || gate.id !== gateId) return refuse({ type: "stale", state: stateOf(loaded.task) });
    return decide(loaded);
  });
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}

type Reported = Pick<Change, "act" | "detail" | "writes"> & { readonly event: (attempt: number) => Event };

function attemptChange({ task }: LoadedTask, { event, ...reported }: Reported): Result<Change, Refusal> {
  const { motion } = task;
  if (motion.kind !== "sending") return refuse({ type: "out-of-state", state: stateOf(task), event: "accepted" });
  assert(motion.gate.byHand, "only what a person sends is reported by one");
  return ok({ events: [event(motion.attempt)], ...reported });
}

function notNow({ task }: LoadedTask, event: Event["type"]): Result<never, Refusal> {
  return refuse({ type: "out-of-state", state: stateOf(task), event });
}
