import { administers, reaches, type Actor } from "#lib/access/model/actor";
import { refuse } from "#lib/platform/result";
import { unknownPractices } from "#lib/practice/store/admin-practices";
import type { Tx } from "#lib/db/db";

/**
 * The refusal that names the ids among these which are no practice's, or none whoever asks is an admin of: they are not
 * told which. Undefined when there is none.
 */
export async function strangersAmong(tx: Tx, actor: Actor, practices: readonly string[]) {
  const foreign = practices.filter((id) => !reaches(administers(actor), [id]));
  const known = practices.filter((id) => !foreign.includes(id));
  const unknown = [...foreign, ...(await unknownPractices(tx, known))];
  const issues = unknown.map((id) => ({ field: "practices", problem: `names no practice: ${id}` }));
  return issues.length === 0 ? undefined : refuse({ type: "invalid" as const, issues });
}
