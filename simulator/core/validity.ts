import type { Case } from "./case.ts";

const validDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The days an authorization of these items holds, YYYY-MM-DD: 90 from the
 * decision, and in any case all the days that were asked for.
 */
export function validityOf(
  of: Case,
  items: Case["items"] = of.items,
): { readonly start: string; readonly end: string } {
  const decided = Date.parse(of.decidedAt ?? of.receivedAt);
  const requestedDays = items.flatMap(({ from, to }) => [from, to].flatMap((day) => day ?? []));
  const days = [decided, decided + validDays * dayMs].map((at) => new Date(at).toISOString().slice(0, 10));
  const [start = "", ...later] = [...days, ...requestedDays].toSorted();
  return { start, end: later.at(-1) ?? start };
}
