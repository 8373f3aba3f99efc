import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { risks } from "#lib/task/model/risk";
import { actions, completeRules, votesMax, type VoteRule } from "#lib/task/model/vote-rule";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { countReleasers, loadVoteRules, saveVoteRule } from "#lib/gate/store/vote-rules";
import { administerProved } from "#lib/access/administer";
import { validate } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";

const votesProblem = `must be a whole number from 1 to ${votesMax}`;

const schema = z.object({
  rules: z
    .array(
      z.object({
        action: z.enum(actions, `must be one of ${actions.join(", ")}`),
        risk: z.enum(risks, `must be one of ${risks.join(", ")}`),
        votes: z.number(votesProblem).int(votesProblem).min(1, votesProblem).max(votesMax, votesProblem),
        stepUp: z.boolean(),
      }),
    )
    .max(4),
});

export type SetVoteRules = { readonly practiceId: string; readonly rules: readonly VoteRule[] };

/**
 * Sets how many people must release, by action and risk, and whether each must prove who they are again. It applies at
 * once, also to open gates. Refuses a number that the practice's own reviewers cannot reach.
 */
export async function setVoteRules(
  ctx: Context,
  { practiceId, ...input }: SetVoteRules,
): Promise<Result<undefined, AdminRefusal>> {
  return administerProved(ctx, { practiceId }, async (tx) => {
    const wanted = validate(schema, input);
    if (!wanted.ok) return wanted;
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const people = await countReleasers(tx, practiceId);
    const before = completeRules(await loadVoteRules(tx, practiceId));
    const changed = wanted.value.rules.flatMap((to) => {
      const from = before.find(({ action, risk }) => action === to.action && risk === to.risk);
      return from?.votes === to.votes && from.stepUp === to.stepUp ? [] : [{ from, to }];
    });
    const issues = changed
      .filter(({ to }) => to.votes > 1 && to.votes > people)
      .map(({ to }) => ({ field: `${to.action}-${to.risk}-votes`, problem: tooFew(to.votes, people) }));
    if (issues.length > 0) return refuse({ type: "invalid", issues });
    for (const { to } of changed) await saveVoteRule(tx, practiceId, to);
    const entries = changed.map((detail) => ({ act: "practice.vote-rule-set", detail }) as const);
    return ok({ value: undefined, chain: practiceId, entries });
  });
}

function tooFew(votes: number, people: number): string {
  const who = people === 1 ? "only 1 reviewer of the practice" : `only ${people} reviewers of the practice`;
  return `asks for ${votes}, and ${people === 0 ? "no reviewer of the practice" : who} could release`;
}
