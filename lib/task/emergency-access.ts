import { z } from "zod";
import { administerProved, mayAdminister } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import { administers, type PersonActor } from "#lib/access/model/actor";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { AdminRefusal } from "#lib/access/refusal";
import { validate } from "#lib/access/validate";
import { newId } from "#lib/db/new-id";
import { ok, refuse, type Result } from "#lib/platform/result";
import { visibleLength } from "#lib/platform/visible-length";
import { lockPractice } from "#lib/practice/shared/practices";
import {
  findOpenEmergencyAccess,
  insertEmergencyAccess,
  lockOpenAccesses,
  loadEmergencyAccesses,
  tasksCalled,
  type EmergencyAccess,
} from "#lib/task/store/emergency-accesses";
import { isUuid } from "#lib/platform/uuid";
import { problems } from "#lib/messages/problems/field";
import { caseProblems } from "#lib/messages/problems/reviewer";
import { reviewedBy } from "./desk-refusal.ts";
import { reviewTask } from "./review-task.ts";
import type { CaseView } from "./views.ts";

export type { EmergencyAccess };

/** For how long a case opened in an emergency can be read. */
const emergencyMinutes = 60;

/**
 * How often one administrator may have opened a case of a practice within the hour that it lasts. An emergency is about
 * one patient; whoever needs more than a few reviews, and everybody who works there gets mail about each.
 */
const openMax = 10;

const input = z.object({
  practiceId: z.string(),
  caseId: z
    .string()
    .trim()
    .regex(/^[0-9a-fA-F-]{8,36}$/, caseProblems.caseId),
  reason: z
    .string()
    .trim()
    .refine((text) => visibleLength(text) >= 10, caseProblems.emergencyReason)
    .max(1000, problems.charactersMax(1_000))
    .refine((text) => text.isWellFormed() && !text.includes("\0"), problems.plainText),
});

/**
 * Opens a case for an administrator of its practice who doesn't review for it, to read and not to decide, for an hour.
 * The practice must allow it, the reason is kept, the audit log has an entry in the same commit, and every reviewer and
 * other administrator of the practice is told by mail, whatever mail they chose. At most ten times an hour. Refuses a
 * case of another practice as one that there is not; the denial goes into the audit log.
 */
export async function openEmergencyAccess(
  ctx: Context<PersonActor>,
  given: z.input<typeof input>,
): Promise<Result<{ readonly taskId: string; readonly accessId: string }, AdminRefusal>> {
  const { practiceId } = given;
  let isElsewhere = false;
  const opened = await administerProved(ctx, { practiceId }, async (tx) => {
    const read = validate(input, given);
    if (!read.ok) return read;
    // Held until the commit, so that none is opened beside the change that ends them all.
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (!practice.emergencyAccess)
      return refuse({ type: "invalid", issues: [{ field: "practiceId", problem: notAllowed }] });
    const [taskId, another] = await tasksCalled(tx, practiceId, read.value.caseId);
    isElsewhere = taskId === undefined;
    if (taskId === undefined || another !== undefined)
      return refuse({
        type: "invalid",
        issues: [{ field: "caseId", problem: taskId === undefined ? noCase : twoCases }],
      });
    const open = await lockOpenAccesses(tx, { practiceId, personId: ctx.actor.id });
    if (open >= openMax) return refuse({ type: "invalid", issues: [{ field: "caseId", problem: tooMany }] });
    const accessId = newId();
    const access = { id: accessId, taskId, practiceId, personId: ctx.actor.id, reason: read.value.reason };
    const until = await insertEmergencyAccess({ tx, store: ctx.store }, access, emergencyMinutes);
    const detail = { access: accessId, until: until.toISOString() };
    const entry = { act: "case.emergency-opened", taskId, detail } as const;
    return ok({ value: { taskId, accessId }, chain: practiceId, entries: [entry] });
  });
  // By its whole id alone: a short one is unique in a practice only.
  if (isElsewhere) await recordCaseDenial(ctx, given.caseId.trim());
  return opened;
}

const tooMany = caseProblems.emergenciesMax(openMax);
const notAllowed = caseProblems.emergencyAllowed;
const noCase = caseProblems.caseOfPractice;
const twoCases = caseProblems.wholeCaseId;

export type EmergencyCase = { readonly access: EmergencyAccess; readonly view: CaseView };

/**
 * The case of an emergency access, for whoever opened it, while it lasts and while they administer the practice; anyone
 * else gets `not-found`, and unless they review for its practice, the denial goes into the audit log. Nothing can be decided with it: every decision takes a reviewer of the practice.
 */
export async function showEmergencyCase(
  ctx: Context<PersonActor>,
  { taskId }: { readonly taskId: string },
): Promise<Result<EmergencyCase, AdminRefusal>> {
  const access = isUuid(taskId)
    ? await findOpenEmergencyAccess(ctx.store, { taskId, personId: ctx.actor.id })
    : undefined;
  if (!access || !mayAdminister(ctx.actor, access)) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found", what: "link" });
  }
  const { practiceId } = access;
  const reader = { ...ctx.actor, roles: ["reviewer"], practices: [practiceId] } as const;
  const view = await reviewTask({ actor: reader, store: ctx.store }, { taskId });
  return view.ok ? ok({ access, view: view.value }) : refuse({ type: "not-found", what: "link" });
}

/** The emergency accesses of the practices that the person reviews for, administers or audits, the latest first. */
export function listEmergencyAccesses({ actor, store }: Context<PersonActor>): Promise<readonly EmergencyAccess[]> {
  const administered = administers(actor);
  if (administered === "every" || actor.audits === "every") return loadEmergencyAccesses(store, "every");
  return loadEmergencyAccesses(store, [...reviewedBy(actor), ...administered, ...actor.audits]);
}
