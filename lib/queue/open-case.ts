import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import { loadAssignee, loadReviewers, type Assignee, type Reviewer } from "#lib/queue/store/assignees";
import { loadCaseNotes, type CaseNote } from "#lib/queue/store/case-notes";
import { loadSnooze, type Snooze } from "#lib/queue/store/snoozes";
import { loadUnitsUsed, type UnitsUsed } from "#lib/queue/store/units-used";
import { newId } from "#lib/db/new-id";
import { recordGateOpened, recordListed, recordReading } from "#lib/task/shared/readings";
import { deskStatus, type DeskStatus } from "./desk-status.ts";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "#lib/task/refusal";
import { reviewTask, type OpenCase } from "#lib/task/review-task";
import type { CaseView } from "#lib/task/views";

/** The work on a case: who works on it, its assignee, and the notes between reviewers. */
export type DeskView = DeskStatus & {
  readonly assignee?: Assignee | undefined;
  /** The reviewers that the case may be assigned to. */
  readonly reviewers: readonly Reviewer[];
  readonly notes: readonly CaseNote[];
  readonly unitsUsed?: UnitsUsed | undefined;
  /** Where it is snoozed. */
  readonly snooze?: Snooze | undefined;
  /** The id of the next note written on this page. */
  readonly noteId: string;
};

/**
 * A case for its page. The audit log records the reading, and the other cases that the page lists, before anything is
 * returned, once a day for each gate or revision; it throws if that fails. The open gate counts as opened by this person.
 */
export async function openCase(
  ctx: Context<PersonActor>,
  { taskId, notes }: OpenCase,
): Promise<Result<{ readonly view: CaseView; readonly desk: DeskView }, Refusal>> {
  const found = await reviewTask(ctx, { taskId, notes });
  if (!found.ok) {
    await recordCaseDenial(ctx, taskId);
    return found;
  }
  const view = found.value;
  const [desk] = await Promise.all([deskOf(ctx, view), recordOpening(ctx, view)]);
  return ok({ view, desk });
}

async function recordOpening({ actor, store }: Context<PersonActor>, view: CaseView): Promise<void> {
  const { taskId, gate, revision, duplicates, memberCases } = view;
  const practiceId = view.practice.id;
  const listed = new Set([...duplicates, ...memberCases.list].map((other) => other.taskId));
  const open = gate?.status === "open" ? gate : undefined;
  await Promise.all([
    recordReading(store, {
      actor,
      taskId,
      practiceId,
      part: open ? `gate:${open.id}` : `revision:${revision.number}`,
      act: "case.opened",
      detail: { revision: revision.number, ...(open ? { gateId: open.id, gate: open.digest } : {}) },
    }),
    recordListed(store, { actor, cases: [...listed].map((other) => ({ taskId: other, practiceId })) }),
    open && recordGateOpened(store, { gateId: open.id, digest: open.digest, practiceId, personId: actor.id }),
  ]);
}

async function deskOf(ctx: Context<PersonActor>, { taskId, practice }: CaseView): Promise<DeskView> {
  const place = { taskId, practiceId: practice.id };
  const [now, assignee, reviewers, notes, unitsUsed, snooze] = await Promise.all([
    deskStatus(ctx, taskId),
    loadAssignee(ctx.store, place),
    loadReviewers(ctx.store, practice.id),
    loadCaseNotes(ctx.store, place),
    loadUnitsUsed(ctx.store, place),
    loadSnooze(ctx.store, place),
  ]);
  return { ...now, assignee, reviewers, notes, unitsUsed, snooze, noteId: newId() };
}
