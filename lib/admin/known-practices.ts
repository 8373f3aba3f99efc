import { refuse } from "#lib/domain/result";
import { unknownPractices } from "#lib/store/admin-practices";
import type { Tx } from "#lib/store/db";

/** The refusal that names the ids among these which are no practice's; undefined when all are known. */
export async function strangersAmong(tx: Tx, practices: readonly string[]) {
  const unknown = await unknownPractices(tx, practices);
  const issues = unknown.map((id) => ({ field: "practices", problem: `names no practice: ${id}` }));
  return issues.length === 0 ? undefined : refuse({ type: "invalid" as const, issues });
}
