import { ruleLabels as labels } from "#lib/messages/labels/route-rule";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { administerProved, type Entry } from "#lib/access/administer";
import type { AdminRefusal, Issue } from "#lib/access/refusal";
import { lockPractice } from "#lib/practice/shared/practices";
import { connectedPayers, putPayer } from "#lib/practice/store/payers";
import { findPayer } from "#lib/practice/shared/find-payer";
import { rangeText, type RouteRule } from "#lib/practice/model/route-rule";
import { rechooseRoutes } from "#lib/submission/reroute-tasks";
import { practiceProblems } from "#lib/messages/problems/admin";
import { rulesInput, type RuleInput } from "./payer-input.ts";

export type SetPayerRules = {
  readonly practiceId: string;
  readonly payerId: string;
  /** In their order: the first that fits a request decides. */
  readonly rules: readonly RuleInput[];
  /** The rules that these were made from, as `rulesText` has them; refused with `changed-since` where they are others now. */
  readonly seen?: string | undefined;
};

/**
 * Sets which requests to a payer go over another payer connection. Requests awaiting release that now go elsewhere are
 * prepared again; what a payer has, or may have, stays where it was submitted. Refuses a connection that there is not.
 */
export async function setPayerRules(
  ctx: Context,
  { practiceId, payerId, rules, seen }: SetPayerRules,
): Promise<Result<{ readonly superseded: number }, AdminRefusal>> {
  const set = await administerProved(ctx, { practiceId }, async (tx) => {
    const read = readRules(rules);
    if (!read.ok) return read;
    if (!(await lockPractice(tx, practiceId))) return refuse({ type: "not-found", what: "practice" });
    const before = await findPayer(tx, { practiceId, payerId });
    if (!before) return refuse({ type: "not-found", what: "payer" });
    if (seen !== undefined && seen !== rulesText(before.rules)) return refuse({ type: "changed-since" });
    const strange = unconnected(read.value, new Set([payerId, ...(await connectedPayers(tx, practiceId))]));
    if (strange.length > 0) return refuse({ type: "invalid", issues: strange });
    const unchanged = rulesText(before.rules) === rulesText(read.value);
    if (unchanged) return ok({ value: false, chain: practiceId, entries: [] });
    await putPayer(tx, practiceId, { ...before, rules: read.value });
    const entry: Entry = { act: "payer.rules-set", detail: { payer: payerId, rules: read.value.map(ruleLine) } };
    return ok({ value: true, chain: practiceId, entries: [entry] });
  });
  if (!set.ok) return set;
  const worker = { actor: { kind: "worker" }, store: ctx.store } as const;
  return ok({ superseded: set.value ? await rechooseRoutes(worker, { practiceId, payerId }) : 0 });
}

/** The rules as they are typed, or what is wrong with which of them: a field is its place and its name, such as `0.codes`. */
function readRules(rules: readonly RuleInput[]): Result<readonly RouteRule[], AdminRefusal> {
  const read = rulesInput.safeParse(rules);
  if (read.success) return ok(read.data);
  const issues = read.error.issues.map(({ path: [place, name], message }) => ({
    field: name === undefined ? "rules" : `${String(place)}.${String(name)}`,
    problem: message,
  }));
  return refuse({ type: "invalid", issues });
}

/** Rules that name a connection the practice does not have, by their place. */
function unconnected(rules: readonly RouteRule[], known: ReadonlySet<string>): readonly Issue[] {
  return rules.flatMap(({ connection }, index) =>
    known.has(connection) ? [] : [{ field: `${index}.connection`, problem: practiceProblems.noConnection(connection) }],
  );
}

/** Rules as one text, the same for the same rules. */
export function rulesText(rules: readonly RouteRule[]): string {
  return JSON.stringify(
    rules.map(({ name, serviceTypes, codes, linesOfBusiness, connection }) => [
      ...[name, serviceTypes, codes.map(({ from, to }) => [from, to]), linesOfBusiness, connection],
    ]),
  );
}

/** A rule in one line, as the audit log has it. */
function ruleLine({ name, serviceTypes, codes, linesOfBusiness, connection }: RouteRule): string {
  const conditions = [
    ...(serviceTypes.length > 0 ? [labels.serviceTypes(serviceTypes)] : []),
    ...(codes.length > 0 ? [labels.codes(codes.map(rangeText))] : []),
    ...(linesOfBusiness.length > 0 ? [labels.linesOfBusiness(linesOfBusiness)] : []),
  ];
  return labels.line({ name, conditions, connection });
}
