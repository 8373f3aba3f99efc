import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { refuse } from "#lib/platform/result";
import { unknownPractices } from "#lib/practice/store/admin-practices";
import type { Tx } from "#lib/db/db";
import { practiceProblems } from "#lib/messages/problems/admin";

/**
 * Refuses ids that are no practice, or none that the actor administers; the refusal does not say which of the two.
 * Undefined where all ids are the actor's practices.
 */
export async function refuseUnknownPractices(tx: Tx, actor: Actor, practices: readonly string[]) {
  const foreign = practices.filter((id) => !reaches(administers(actor), [id]));
  const known = practices.filter((id) => !foreign.includes(id));
  const unknown = [...foreign, ...(await unknownPractices(tx, known))];
  const issues = unknown.map((id) => ({ field: "practices", problem: practiceProblems.unknownPractice(id) }));
  return issues.length === 0 ? undefined : refuse({ type: "invalid" as const, issues });
}
