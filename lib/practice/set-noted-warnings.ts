import { z } from "zod";
import type { Context } from "#lib/access/context";
import { warningTypes } from "#lib/gate/model/checks";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { administer } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

const schema = z.object({
  noted: z
    .array(z.string().refine(isWarning, practiceProblems.knownWarning))
    .max(100, problems.atMostOf(100, "warnings")),
});

type SetNotedWarnings = {
  readonly practiceId: string;
  readonly noted: readonly string[];
  /** The warnings that these were made from, as `warningsText` has them; refused with `changed-since` where they are others now. */
  readonly seen?: string | undefined;
};

/**
 * Sets the warnings that reviewers may release over without a reason; every other warning needs one. It applies at
 * once, also to open gates; the queue still shows an open gate with the warnings it opened with.
 */
export async function setNotedWarnings(
  ctx: Context,
  { practiceId, seen, ...input }: SetNotedWarnings,
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const wanted = validate(schema, input);
    if (!wanted.ok) return wanted;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const from = [...practice.notedWarnings].toSorted();
    const to = [...new Set(wanted.value.noted)].toSorted();
    if (from.join(" ") === to.join(" ")) return ok({ value: undefined, chain: practiceId, entries: [] });
    if (seen !== undefined && seen !== warningsText(from)) return refuse({ type: "changed-since" });
    await updatePractice(tx, practiceId, { notedWarnings: to });
    const entries = [{ act: "practice.noted-warnings-set", detail: { from, to } }] as const;
    return ok({ value: undefined, chain: practiceId, entries });
  });
}

/** Warnings as one text, the same for the same warnings. */
export function warningsText(noted: readonly string[]): string {
  return JSON.stringify(noted.toSorted());
}

function isWarning(type: string): boolean {
  return warningTypes.some((known) => known === type);
}
