import { assert } from "#lib/platform/result";
import type { CaseDetermination, DeterminationView } from "./views.ts";

type InForce = { readonly determination_id: string | null };

/**
 * The determinations that were in force before the current one, the latest first. One that never came into force is not
 * among them.
 */
export function superseded(
  { determination_id: inForce }: InForce,
  all: readonly DeterminationView[],
): readonly DeterminationView[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  const chain: DeterminationView[] = [];
  let next = inForce === null ? undefined : byId.get(inForce)?.supersedes;
  while (next !== undefined) {
    const one = byId.get(next);
    assert(one && one.id !== inForce && !chain.includes(one), "a determination supersedes one that was kept before it");
    chain.push(one);
    next = one.supersedes;
  }
  return chain;
}

/** All determinations in the order in which they came, each with its standing; the one in force comes last. */
export function withStanding(row: InForce, all: readonly DeterminationView[]): readonly CaseDetermination[] {
  const before = superseded(row, all);
  const others = all
    .filter(({ id }) => id !== row.determination_id)
    .map((one) => ({ ...one, standing: before.includes(one) ? ("superseded" as const) : ("never-in-force" as const) }));
  const inForce = all.filter(({ id }) => id === row.determination_id);
  return [...others, ...inForce.map((one) => ({ ...one, standing: "in-force" as const }))];
}
