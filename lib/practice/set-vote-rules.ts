import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { risks } from "#lib/task/model/risk";
import { actions, completeRules, votesMax, type VoteRule } from "#lib/task/model/vote-rule";
import { lockPractice } from "#lib/practice/store/admin-practices";
import { countReleasers, loadVoteRules, saveVoteRule } from "#lib/gate/store/vote-rules";
import { administerProved, type Entry } from "#lib/access/administer";
import { requestChange, wantingSecondAdmin, type Awaiting } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
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
 * once, also to open gates. Refuses a number that the practice's own reviewers cannot reach. Where a second administrator
 * is wanted, fewer people than before release only once one confirms.
 */
export async function setVoteRules(
  ctx: Context,
  { practiceId, ...input }: SetVoteRules,
): Promise<Result<Awaiting, AdminRefusal>> {
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
    const isWanted = (await wantingSecondAdmin(tx, ctx.actor, [practiceId])).length > 0;
    const waiting = isWanted ? changed.filter(({ from, to }) => (from?.votes ?? 1) > to.votes).map(({ to }) => to) : [];
    const entries = await putVoteRules(
      tx,
      practiceId,
      changed.filter(({ to }) => !waiting.includes(to)),
    );
    if (waiting.length === 0) return ok({ value: {}, chain: practiceId, entries });
    const { id, entry } = await requestChange(tx, ctx.actor, {
      change: { kind: "fewer-releases", practiceId, rules: waiting },
      scope: [practiceId],
    });
    return ok({ value: { awaiting: id }, chain: practiceId, entries: [...entries, entry] });
  });
}

type RuleChange = { readonly from: VoteRule | undefined; readonly to: VoteRule };

async function putVoteRules(tx: Tx, practiceId: string, changed: readonly RuleChange[]): Promise<readonly Entry[]> {
  for (const { to } of changed) await saveVoteRule(tx, practiceId, to);
  return changed.map((detail) => ({ act: "practice.vote-rule-set", detail }) as const);
}

/** Lets fewer people release; part of what a second administrator confirms. */
export async function lowerVoteRules(
  tx: Tx,
  { practiceId, rules }: { readonly practiceId: string; readonly rules: readonly VoteRule[] },
): Promise<Result<readonly Entry[], AdminRefusal>> {
  if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
  const before = completeRules(await loadVoteRules(tx, practiceId));
  const changed = rules.flatMap((to) => {
    const from = before.find(({ action, risk }) => action === to.action && risk === to.risk);
    // What was lowered further meanwhile stays as it is.
    return (from?.votes ?? 1) > to.votes ? [{ from, to }] : [];
  });
  return ok(await putVoteRules(tx, practiceId, changed));
}

function tooFew(votes: number, people: number): string {
  const who = people === 1 ? "only 1 reviewer of the practice" : `only ${people} reviewers of the practice`;
  return `asks for ${votes}, and ${people === 0 ? "no reviewer of the practice" : who} could release`;
}
