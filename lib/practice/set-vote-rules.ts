import { z } from "zod";
import type { Context } from "#lib/access/context";
import { assert, ok, refuse, type Result } from "#lib/platform/result";
import { risks, actions, completeRules, votesMax, type VoteRule } from "#lib/task/model/vote-rule";
import { lockPractice } from "./shared/practices.ts";
import { countReleasers, loadVoteRules, saveVoteRule } from "#lib/gate/shared/vote-rules";
import { administerProved, type Entry } from "#lib/access/administer";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";

const votesProblem = practiceProblems.votes(votesMax);

const schema = z.object({
  rules: z
    .array(
      z.object({
        action: z.enum(actions, problems.oneOf(actions)),
        risk: z.enum(risks, problems.oneOf(risks)),
        votes: z.number(votesProblem).int(votesProblem).min(1, votesProblem).max(votesMax, votesProblem),
        stepUp: z.boolean(),
      }),
    )
    .max(4),
});

export type SetVoteRules = {
  readonly practiceId: string;
  readonly rules: readonly VoteRule[];
  /** The rules that these were made from, as `voteRulesText` has them; refused with `changed-since` where they are others now. */
  readonly seen?: string | undefined;
};

/**
 * Sets how many people must release, by action and risk, and whether each must prove who they are again. It applies at
 * once, also to open gates. Refuses a number that the practice's own reviewers cannot reach. Where a second administrator
 * is wanted, a rule that asks for less than before, fewer people or no new proof, holds only once one confirms.
 */
export async function setVoteRules(
  ctx: Context,
  { practiceId, seen, ...input }: SetVoteRules,
): Promise<Result<Awaiting, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const wanted = validate(schema, input);
    if (!wanted.ok) return wanted;
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const people = await countReleasers(tx, practiceId);
    const before = completeRules(await loadVoteRules(tx, practiceId));
    const changed = wanted.value.rules.flatMap((to) => {
      const from = ruleLike(before, to);
      return isSame(from, to) ? [] : [{ from, to }];
    });
    if (changed.length > 0 && seen !== undefined && seen !== voteRulesText(before)) {
      return refuse({ type: "changed-since" });
    }
    const issues = changed
      .filter(({ to }) => to.votes > 1 && to.votes > people)
      .map(({ to }) => ({
        field: `${to.action}-${to.risk}-votes`,
        problem: practiceProblems.tooFewReviewers(to.votes, people),
      }));
    if (issues.length > 0) return refuse({ type: "invalid", issues });
    const isWanted = (await wantingSecondAdmin(tx, ctx.actor, [practiceId])).length > 0;
    const entries = await putVoteRules(tx, practiceId, isWanted ? changed.flatMap(strengthened) : changed);
    const waiting = isWanted ? changed.flatMap(weakened) : [];
    if (waiting.length === 0) return ok({ value: {}, chain: practiceId, entries });
    const { id, entry } = await requestChange(tx, ctx.actor, {
      change: { kind: "fewer-releases", practiceId, rules: waiting },
      scope: [practiceId],
    });
    return ok({ value: { awaiting: id }, chain: practiceId, entries: [...entries, entry] });
  });
}

/** Rules as one text, the same for the same rules. */
export function voteRulesText(rules: readonly VoteRule[]): string {
  return JSON.stringify(completeRules(rules).map(({ action, risk, votes, stepUp }) => [action, risk, votes, stepUp]));
}

/** What of a change asks for more, and waits for nobody. */
function strengthened({ from, to }: RuleChange): readonly RuleChange[] {
  const stronger = { ...to, votes: Math.max(from.votes, to.votes), stepUp: from.stepUp || to.stepUp };
  return asksLess(from, stronger) ? [{ from, to: stronger }] : [];
}

/** What of a change asks for less than the rule once its stronger part applies; this waits for a second administrator. */
function weakened({ from, to }: RuleChange): readonly LoweredRule[] {
  const [{ to: before } = { to: from }] = strengthened({ from, to });
  return asksLess(to, before) ? [{ ...to, from: { votes: before.votes, stepUp: before.stepUp } }] : [];
}

type Requirement = Pick<VoteRule, "votes" | "stepUp">;

/** A rule that a second administrator lets ask for less, and what it was when that was asked for. */
type LoweredRule = VoteRule & { readonly from?: Requirement | undefined };

/** Whether a rule asks for less than another in any way. */
function asksLess(rule: Requirement, than: Requirement): boolean {
  return rule.votes < than.votes || (than.stepUp && !rule.stepUp);
}

type RuleChange = { readonly from: VoteRule; readonly to: VoteRule };

async function putVoteRules(tx: Tx, practiceId: string, changed: readonly RuleChange[]): Promise<readonly Entry[]> {
  for (const { to } of changed) await saveVoteRule(tx, practiceId, to);
  return changed.map(({ from, to }) => ({ act: "practice.vote-rule-set", detail: { from, to } }) as const);
}

/**
 * Lets rules ask for less; part of what a second administrator confirms. Refuses with `changed-since` where a rule is
 * neither as it was when that was asked for nor asks for so little already.
 */
export async function lowerVoteRules(
  tx: Tx,
  { practiceId, rules }: { readonly practiceId: string; readonly rules: readonly LoweredRule[] },
): Promise<Result<readonly Entry[], AdminRefusal>> {
  if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
  const before = completeRules(await loadVoteRules(tx, practiceId));
  const changed = rules.flatMap(({ from: givenFrom, ...given }) => {
    const from = ruleLike(before, given);
    // A request that does not say what the rule was is about the number of people alone.
    const to = givenFrom ? given : { ...given, stepUp: from.stepUp || given.stepUp };
    // What was lowered further meanwhile stays as it is.
    return asksLess(to, from) ? [{ from, to, isAsRequested: !givenFrom || isSame(from, givenFrom) }] : [];
  });
  if (changed.some(({ isAsRequested }) => !isAsRequested)) return refuse({ type: "changed-since" });
  return ok(await putVoteRules(tx, practiceId, changed));
}

/** The rule for the same action and risk. */
function ruleLike(rules: readonly VoteRule[], { action, risk }: VoteRule): VoteRule {
  const rule = rules.find((each) => each.action === action && each.risk === risk);
  assert(rule, "a complete list has a rule for each action and risk");
  return rule;
}

function isSame(one: Requirement, other: Requirement): boolean {
  return one.votes === other.votes && one.stepUp === other.stepUp;
}
